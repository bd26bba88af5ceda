const TAGS = {
  head: [/<head\b[^<>]*>/gi, /<\/head\s*>/gi],
  script: [/<script\b[^<>]*>/gi, /<\/script\s*>/gi],
  style: [/<style\b[^<>]*>/gi, /<\/style\s*>/gi],
  svg: [/<(?:svg:)?svg\b[^<>]*>/gi, /<\/(?:svg:)?svg\s*>/gi],
  template: [/<template\b[^<>]*>/gi, /<\/template\s*>/gi],
} as const;

type Name = keyof typeof TAGS;

/** The text of a page without these elements. */
export function removeElements(html: string, names: readonly Name[]): string {
  return names.reduce((text, name) => replaceElements(text, name, () => ''), html);
}

/**
 * The text of a page with something else in the place of these elements, each up to its first end tag; one without
 * an end tag stays. One pattern for a whole element would look for the end again from every start.
 */
export function replaceElements(html: string, name: Name, replacement: (element: string) => string): string {
  const [opening, closing] = TAGS[name];
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = find(opening, html, from);
    if (!start) break;
    const isEmpty = html[start.end - 2] === '/';
    const end = isEmpty ? start : find(closing, html, start.end);
    if (!end) break;
    kept.push(html.slice(from, start.start), replacement(html.slice(start.start, end.end)));
    from = end.end;
  }
  return kept.join('') + html.slice(from);
}

function find(pattern: RegExp, text: string, from: number): { start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
