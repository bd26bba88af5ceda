/** But for line breaks and tabs; also those that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text for a terminal. Control characters of stored text, such as escape sequences that erase lines, are written as in
 * JSON, `\u001b`; JSON stays the same document.
 */
export const printable = (text: string): string =>
  text.replace(CONTROL, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const print = (text: string): void => void process.stdout.write(printable(text));
export const printError = (text: string): void => void process.stderr.write(printable(text));
