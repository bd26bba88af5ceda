/** A field of a record. */
export interface FieldLine {
  /** Names from the record down; empty for a row of a table. */
  path: string;
  text: string;
}

/** The paths of what is nested very deep are cut. */
const MAX_PATH = 200;

export function lineText({ path, text }: FieldLine): string {
  return path ? `${path}: ${text}` : text;
}

export function attributeLines(attributes: [string, string][]): FieldLine[] {
  return attributes.map(([path, text]) => ({ path, text: collapseWhitespace(text) }));
}

/** The lines of an element as lines of its parent. */
export function nestLines(name: string, lines: FieldLine[]): FieldLine[] {
  return lines.map(({ path, text }) => ({
    path: path && path.length < MAX_PATH ? `${name}.${path}` : path,
    text,
  }));
}

/** Lines of the record `name`, which is to be a paragraph of its own, apart from those around it. */
export function separateRecord(name: string, lines: FieldLine[]): FieldLine[][] {
  const prefix = `${name}.`;
  const own = lines.filter(({ path }) => !path.startsWith(prefix));
  const record = lines.filter(({ path }) => path.startsWith(prefix));
  return [own, record.map(({ path, text }) => ({ path: path.slice(prefix.length), text }))];
}

/** White space as one blank each. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Text without the breaks of its lines, but with those of its paragraphs. */
export function reflow(text: string): string {
  return text
    .split(/\n[ \t]*\n/)
    .map(collapseWhitespace)
    .filter(Boolean)
    .join('\n\n');
}
