const MAX_HITS = 12;
/** A heading says more than the text below it. */
const WEIGHTS = { page: 8, heading: 10, text: 1 };
const WORD_START = 2;
/** Words that nearly every page has. */
const COMMON =
  /^(?:\w|an|and|are|as|at|by|can|do|does|for|from|how|i|in|is|it|my|of|on|or|that|the|this|to|what|with|you)$/;

/** The words of a question, in lower case, without common ones unless there are no others; Chinese is not split. */
export function splitWords(question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  const rare = words.filter((word) => !COMMON.test(word));
  return rare.length > 0 ? rare : words;
}

/** The entries that have most of the words, also as parts of words, best first. */
export function findEntries(entries, words) {
  const found = entries
    .map((entry) => ({ entry, ...scoreEntry(entry, words) }))
    .filter(({ count }) => count > 0);
  const most = Math.max(...found.map(({ count }) => count));
  return found
    .filter(({ count }) => count === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ entry }) => entry);
}

/** How many of the words an entry has, and how prominently. */
function scoreEntry(entry, words) {
  const scores = words.map((word) =>
    Object.entries(WEIGHTS).reduce((sum, [field, weight]) => {
      const at = ` ${entry[field].toLowerCase()}`.indexOf(word);
      if (at < 0) return sum;
      const isStart = /[\s`"'(]/.test(` ${entry[field]}`[at - 1] ?? ' ');
      return sum + weight * (isStart ? WORD_START : 1);
    }, 0),
  );
  return {
    count: scores.filter((score) => score > 0).length,
    score: scores.reduce((sum, score) => sum + score, 0),
  };
}
