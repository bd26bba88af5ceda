const MAX_LENGTH = 60;
/** The name is at the beginning. */
const MAX_READ = 2_000;
const BEGINNING = /^[\s#>*+-]+/;
const LINK = /\[([^[\]]*)\]\([^()]*\)/g;
const SIGNS = /[*`]/g;

/** A name for a pasted text: its first line without the signs of Markdown; empty where there is none. */
export function nameOfText(content: string): string {
  const plain = content
    .slice(0, MAX_READ)
    .split('\n')
    .map((line) => line.replace(BEGINNING, '').replace(LINK, '$1').replace(SIGNS, '').trim());
  return [...(plain.find(Boolean) ?? '')].slice(0, MAX_LENGTH).join('').trim();
}
