/** But for line breaks and tabs; also those that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as it is written to a stream: as it is to a file or pipe; to a terminal, which would obey them, control characters
 * as in JSON, `\u001b`.
 */
export const forTerminal = (text: string, { isTTY }: { isTTY?: boolean }): string =>
  isTTY ? text.replace(CONTROL, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;
