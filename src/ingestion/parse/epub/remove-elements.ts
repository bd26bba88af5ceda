const TAGS = {
  head: [/<head\b[^<>]*>/gi, /<\/head\s*>/gi],
  script: [/<script\b[^<>]*>/gi, /<\/script\s*>/gi],
  style: [/<style\b[^<>]*>/gi, /<\/style\s*>/gi],
  svg: [/<svg\b[^<>]*>/gi, /<\/svg\s*>/gi],
  template: [/<template\b[^<>]*>/gi, /<\/template\s*>/gi],
} as const;

/**
 * The text of a page without these elements, each up to its first end tag; one without an end tag stays. One pattern
 * for a whole element would look for the end again from every start.
 */
export function removeElements(html: string, names: readonly (keyof typeof TAGS)[]): string {
  return names.reduce((text, name) => withoutElement(text, ...TAGS[name]), html);
}

function withoutElement(html: string, opening: RegExp, closing: RegExp): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = find(opening, html, from);
    const end = start && find(closing, html, start.end);
    if (!end) break;
    kept.push(html.slice(from, start.start));
    from = end.end;
  }
  return kept.join('') + html.slice(from);
}

function find(pattern: RegExp, text: string, from: number): { start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
