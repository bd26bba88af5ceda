/* The navigation of a language: its folders are sections, and the index.md of a folder orders and groups the pages of it. */
import path from 'node:path';
import { LANGUAGES, rootOf } from './languages.js';
import { plainText } from './read-page.js';

/**
 * @param pages of the language
 * @returns sections, each with a title (none for the pages at the root) and groups of pages
 * @throws Error where a page is not in the list of its folder
 */
export function readNavigation(language, pages) {
  const root = rootOf(language);
  const byName = new Map(pages.map((page) => [page.name, page]));
  const first = ['index.md', 'tutorial.md'].flatMap((name) => byName.get(root + name) ?? []);
  const sections = Object.entries(LANGUAGES[language].sections).flatMap(([folder, title]) => {
    const index = byName.get(`${root}${folder}/index.md`);
    return index ? [{ title, index, groups: readGroups(index, byName) }] : [];
  });
  const navigation = [{ groups: [{ pages: first.map((page) => ({ page })) }] }, ...sections];
  const listed = new Set(pagesOf(navigation));
  const missing = pages.find((page) => !listed.has(page));
  if (missing) throw new Error(`docs/guide/${missing.name} is not in the index.md of its folder`);
  return navigation;
}

/** All pages, in their order. */
export const pagesOf = (sections) =>
  sections.flatMap(({ index, groups }) => [
    ...(index ? [index] : []),
    ...groups.flatMap(({ pages }) => pages.map(({ page }) => page)),
  ]);

/** Each heading begins a group; each item of a list begins with a link to a page, and may say what it is about. */
function readGroups(index, byName) {
  const groups = [{ pages: [] }];
  for (const token of index.tokens) {
    if (token.type === 'heading' && token.depth === 2)
      groups.push({ title: plainText(token.tokens), pages: [] });
    if (token.type === 'list')
      groups.at(-1).pages.push(...token.items.flatMap((item) => readItem(item, index, byName)));
  }
  return groups.filter(({ pages }) => pages.length > 0);
}

function readItem(item, index, byName) {
  const [link] = item.tokens[0].tokens ?? [];
  if (link?.type !== 'link') return [];
  const page = byName.get(path.posix.join(path.posix.dirname(index.name), link.href));
  const about = plainText(item.tokens[0].tokens.slice(1)).replace(/^[:：]\s*/, '');
  return page ? [{ page, about }] : [];
}
