/* A list of all pages for language models, in the form of llmstxt.org: links lead to their Markdown. */
import { pagesOf } from './navigation.js';

/** @param pages of all languages: those of others than the navigation come last */
export function renderLlmsTxt(sections, pages) {
  const [{ summary }] = pagesOf(sections);
  const line = (page, about = page.summary) => `- [${page.title}](${page.name})${about ? `: ${about}` : ''}`;
  const parts = sections.map(({ title, index, groups }) => {
    const own = groups.flatMap((group) => group.pages.map(({ page, about }) => line(page, about)));
    return [`## ${title ?? 'Begin'}`, '', ...(index ? [line(index, 'the list of these')] : []), ...own].join(
      '\n',
    );
  });
  const listed = new Set(pagesOf(sections));
  const others = pages.filter((page) => !listed.has(page)).map((page) => line(page));
  if (others.length > 0) parts.push(['## 中文', '', ...others].join('\n'));
  return `# Lectern\n\n> ${summary}\n\n${parts.join('\n\n')}\n`;
}
