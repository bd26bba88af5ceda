const WORD = /[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/gu;
const BEFORE = /(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][-‐])((?:[\p{L}\p{N}]+[-‐])*[\p{L}\p{N}]+)[-‐]$/u;
const AFTER = /^[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/u;
const DIVIDED = /[\p{L}\p{N}][-‐\u00ad]$/u;

/** How often each word occurs in a document, to tell a word divided at a line's end from a compound. */
export class Vocabulary {
  readonly #counts = new Map<string, number>();

  add(text: string): void {
    for (const [word] of text.matchAll(WORD)) {
      const key = keyOf(word);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  count(word: string): number {
    return this.#counts.get(keyOf(word)) ?? 0;
  }
}

/** Whether a line ends inside a word. */
export function endsHyphenated(text: string): boolean {
  return DIVIDED.test(text);
}

/** Puts two lines together of which the first ends in a hyphen; the hyphen stays where it is part of a word. */
export function joinHyphenated(above: string, below: string, vocabulary: Vocabulary): string {
  const stem = above.slice(0, -1);
  if (above.endsWith('\u00ad')) return stem + below;
  return isCompound(above, below, vocabulary) ? above + below : stem + below;
}

function isCompound(above: string, below: string, vocabulary: Vocabulary): boolean {
  const start = BEFORE.exec(above.slice(-100))?.[1];
  const end = AFTER.exec(below.slice(0, 100))?.[0];
  if (!start || !end) return true;
  const compounds = vocabulary.count(`${start}-${end}`);
  const joined = vocabulary.count(start + end);
  if (compounds !== joined) return compounds > joined;
  const isCapitals = /^\p{Lu}+$/u.test(start) && start.length > 1;
  if (isCapitals) return !/^\p{Lu}+$/u.test(end);
  return !/^\p{Ll}/u.test(end) || /[\p{N}]$|^\p{L}$/u.test(start);
}

function keyOf(word: string): string {
  return word.toLowerCase().replaceAll('‐', '-');
}
