/* What the search in the browser looks through: an entry for each section of a page. */
import { plainText } from './read-page.js';

/** @returns entries of path and anchor, title of the page, heading, and text */
export function searchEntries(page) {
  const url = page.name.replace(/\.md$/, '.html');
  const entries = [];
  let next = 0;
  for (const token of page.tokens) {
    if (token.type === 'heading') {
      const { id, text, depth } = page.headings[next];
      next += 1;
      if (depth <= 3) {
        entries.push({
          url: depth > 1 ? `${url}#${id}` : url,
          page: page.title,
          heading: depth > 1 ? text : '',
          text: '',
        });
        continue;
      }
    }
    const entry = entries.at(-1);
    if (entry) entry.text = `${entry.text} ${textOf(token)}`.trim();
  }
  return entries;
}

function textOf(token) {
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flat()
      .map((cell) => plainText(cell.tokens))
      .join(' ');
  if (token.type === 'list') return token.items.flatMap((item) => item.tokens.map(textOf)).join(' ');
  return token.tokens ? plainText(token.tokens) : (token.text ?? '').replace(/\s+/g, ' ');
}
