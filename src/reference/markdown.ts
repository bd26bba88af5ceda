/** A page of the reference. */
export interface Page {
  title: string;
  /** One paragraph. */
  introduction: string;
  sections: (string | false)[];
}

const WIDTH = 120;

/** The text of a page, which says that it is generated. */
export const formatPage = ({ title, introduction, sections }: Page): string =>
  `${[
    '<!-- Generated from the code. Do not edit: run "node scripts/reference.js". -->',
    `# ${title}`,
    wrap(introduction),
    ...sections.filter((section) => section !== false),
  ].join('\n\n')}\n`;

/** A table; nothing where there are no rows. */
export function table(header: string[], rows: string[][]): string | false {
  if (rows.length === 0) return false;
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Several parts of one section. */
export const section = (heading: string, ...parts: (string | false)[]): string =>
  [heading, ...parts.filter((part) => part !== false && part !== '')].join('\n\n');

export const code = (text: string): string => `\`${text}\``;

/** A block of code. */
export const codeBlock = (text: string, language = ''): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Words in lines of at most that many characters. */
export function wrap(text: string, width = WIDTH, prefix = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && prefix.length + line.length + 1 + word.length > width) {
      lines.push(prefix + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, prefix + line].join('\n');
}
