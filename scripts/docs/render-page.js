/* What surrounds a page. All links are relative, so that the site works under any path. */
import path from 'node:path';
import { escapeHtml } from './html.js';
import { LANGUAGES, rootOf } from './languages.js';
import { pagesOf } from './navigation.js';
import { isIndex } from './read-page.js';

const NOT_FOUND = {
  name: '404.md',
  title: 'Page not found',
  summary: '',
  headings: [],
  html: '<h1>Page not found</h1>\n<p>The guide has no page here. Search for it, or begin at the <a href="/docs/guide/">start</a>.</p>\n',
};

/** @param context.names of all pages of the guide */
export function renderPage(page, { language, sections, names }) {
  const words = LANGUAGES[language];
  const to = (name) => path.posix.relative(path.posix.dirname(page.name), htmlOf(name));
  const root = path.posix.relative(path.posix.dirname(page.name), '.') || '.';
  return render(page, { language, words, sections, names, to, root });
}

/** The page for unknown paths, which is sent at any of them. */
export function renderNotFound(sections, names) {
  const to = (name) => `/docs/guide/${htmlOf(name)}`;
  const context = { language: 'en', words: LANGUAGES.en, sections, names, to, root: '/docs/guide' };
  return render(NOT_FOUND, context);
}

const htmlOf = (name) => name.replace(/\.md$/, '.html');

function render(page, context) {
  const { language, words, root, to } = context;
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${escapeHtml(page.summary.slice(0, 200))}">
    <title>${escapeHtml(page.title)}${page.title === 'Lectern' ? '' : ' · Lectern'}</title>
    <link rel="icon" type="image/svg+xml" href="${root}/assets/icon.svg">
    <link rel="stylesheet" href="${root}/assets/site.css">
    <script src="${root}/assets/theme.js"></script>
    <script type="module" src="${root}/assets/site.js"></script>
  </head>
  <body data-root="${root}" data-copy="${words.copy}" data-copied="${words.copied}">
    <a class="skip" href="#content">${words.skip}</a>
    <header class="top">
      <button type="button" class="menu" aria-expanded="false" aria-controls="navigation">${words.menu}</button>
      <a class="brand" href="${to(`${rootOf(language)}index.md`)}"><img src="${root}/assets/icon.svg" alt="" width="24" height="24">Lectern <small>${words.guide}</small></a>
      <div class="search" role="search">
        <input type="search" placeholder="${words.search}" aria-label="${words.search}" autocomplete="off" spellcheck="false"
          data-index="${root}/assets/search-${language}.json">
        <kbd>/</kbd>
        <ul class="hits" hidden data-none="${words.noHits}"></ul>
      </div>
      <nav class="links" aria-label="Lectern"><a href="/">${words.console}</a><a href="/docs">${words.api}</a></nav>
      ${renderLanguages(page, context)}
      <button type="button" class="theme" aria-label="${words.theme}" title="${words.theme}">◐</button>
    </header>
    <nav class="side" id="navigation" aria-label="${words.guide}">
${renderNavigation(page, context)}
    </nav>
    <main id="content" tabindex="-1">
      <article${isIndex(page.name) ? ' class="cards"' : ''}>
${page.html}      </article>
      ${renderFoot(page, context)}
    </main>
    ${renderContents(page, words)}
  </body>
</html>
`;
}

/** Links to the same page in other languages, or to their start. */
function renderLanguages(page, { language, words, names, to }) {
  const own = page.name.slice(rootOf(language).length);
  const links = Object.entries(LANGUAGES).flatMap(([code, { label }]) => {
    const root = rootOf(code);
    const target = [`${root}${own}`, `${root}index.md`].find((name) => names.includes(name));
    if (!target) return [];
    const current = code === language ? ' aria-current="true"' : '';
    return `<a href="${to(target)}" lang="${code}" hreflang="${code}"${current}>${label}</a>`;
  });
  return links.length > 1
    ? `<nav class="languages" aria-label="${words.language}">${links.join('')}</nav>`
    : '';
}

function renderNavigation(page, { words, sections, to, language }) {
  const link = (target, text = target.title) =>
    `<li><a href="${to(target.name)}"${target === page ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
  const start = `${rootOf(language)}index.md`;
  return sections
    .map((section) => {
      const groups = section.groups
        .map(({ title, pages }) => {
          const items = pages.map((one) =>
            link(one.page, one.page.name === start ? words.start : one.page.title),
          );
          return `${title ? `<p>${escapeHtml(title)}</p>` : ''}<ul>${items.join('')}</ul>`;
        })
        .join('');
      if (!section.title) return groups;
      const isOpen = pagesOf([section]).includes(page);
      const overview = `<ul>${link(section.index)}</ul>`.replace(
        `>${escapeHtml(section.index.title)}<`,
        `>${words.overview}<`,
      );
      return `<details${isOpen ? ' open' : ''}><summary>${section.title}</summary>${overview}${groups}</details>`;
    })
    .join('\n');
}

function renderFoot(page, { words, sections, to }) {
  const pages = pagesOf(sections);
  const place = pages.indexOf(page);
  if (place < 0) return '';
  const link = (target, rel, label) =>
    target
      ? `<a rel="${rel}" href="${to(target.name)}"><small>${label}</small>${escapeHtml(target.title)}</a>`
      : '<span></span>';
  const markdown = path.posix.basename(page.name);
  return `<footer class="foot">
        <p><a href="${markdown}" type="text/markdown">${words.markdown}</a></p>
        <nav class="steps" aria-label="${words.previous}, ${words.next}">${link(pages[place - 1], 'prev', words.previous)}${link(pages[place + 1], 'next', words.next)}</nav>
      </footer>`;
}

/** The sections of a page, where it has several. */
function renderContents({ headings }, words) {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < 2) return '';
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<aside class="contents" aria-label="${words.onThisPage}"><p>${words.onThisPage}</p><ul>${items.join('')}</ul></aside>`;
}
