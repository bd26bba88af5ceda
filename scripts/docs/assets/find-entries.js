const MAX_HITS = 12;
/** A heading says more than the text below it. */
const WEIGHTS = { page: 8, heading: 10, text: 1 };
const WORD_START = 2;

/** The words of a question, in lower case; Chinese is not split. */
export const splitWords = (question) => question.toLowerCase().split(/\s+/).filter(Boolean);

/** The entries that have all words, also as parts of words, best first. */
export function findEntries(entries, words) {
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreEntry(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ entry }) => entry);
}

function scoreEntry(entry, words) {
  const scores = words.map((word) =>
    Object.entries(WEIGHTS).reduce((sum, [field, weight]) => {
      const at = ` ${entry[field].toLowerCase()}`.indexOf(word);
      if (at < 0) return sum;
      const isStart = /[\s`"'(]/.test(` ${entry[field]}`[at - 1] ?? ' ');
      return sum + weight * (isStart ? WORD_START : 1);
    }, 0),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}
