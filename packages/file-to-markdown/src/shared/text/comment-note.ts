export interface Comment {
  /** As it is known; else undefined or ''. */
  author?: string | undefined;
  /** What it is about where it does not stand there, such as a cell. */
  about?: string;
  text: string;
}

/** Longer names are no names. */
const MAX_NAME = 100;

/** A comment as a note of one line; `''` for one without text. */
export function commentNote({ author = '', about = '', text }: Comment): string {
  const said = onOneLine(text);
  if (!said) return '';
  const name = onOneLine(author).slice(0, MAX_NAME).toWellFormed();
  return `[Comment${name && ` by ${name}`}${about && ` on ${about}`}: ${said}]`;
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
