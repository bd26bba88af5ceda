/** Some words of a text in one language, as far as paragraphs and sentences tell. */
export interface Excerpt {
  text: string;
  letters: number;
  /** How much of the whole text it stands for. */
  weight: number;
}

const EXCERPTS = 5;
/** Characters that are enough to tell a language. */
const LENGTH = 110;
const MAX_LENGTH = 140;
const NO_WORDS = /(?:https?:\/\/|www\.)\S+|(?<!\S)\S+@\S+|<[^<>]{1,200}>|[|#*_`~>]+/g;
const BETWEEN = /\n\s*\n|[.!?;:…]["'”’»)]?\s|\n(?=[|\-*+] )/;

/** A few excerpts from all over a text, each of sentences that follow each other, in as few paragraphs as suffice. */
export function sampleExcerpts(text: string): Excerpt[] {
  const all: string[] = [];
  for (const part of text.split(BETWEEN)) {
    const last = all.length - 1;
    if ((all[last]?.length ?? LENGTH) < LENGTH) all[last] += ` ${part}`;
    else all.push(part);
  }
  return spread(all).map(wordsOf);
}

function spread(all: readonly string[]): string[] {
  if (all.length <= EXCERPTS) return [...all];
  const step = all.length / EXCERPTS;
  return Array.from({ length: EXCERPTS }, (_, index) => all[Math.floor((index + 0.5) * step)] ?? '');
}

/** Names with digits in them are codes rather than words. */
function wordsOf(excerpt: string): Excerpt {
  const words = excerpt
    .replace(NO_WORDS, ' ')
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ');
  const start = Math.max(0, Math.floor((words.length - MAX_LENGTH) / 2));
  const text = words.slice(start, start + MAX_LENGTH);
  return { text, letters: countLetters(text), weight: words.length };
}

function countLetters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) count += (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? 1 : 0;
    else if (code >= 0xc0 && (code < 0x2000 || code >= 0x3040)) count++;
  }
  return count;
}
