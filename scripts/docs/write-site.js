/* The guide as a folder of static files. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../static-files.js';
import { LANGUAGES, languageOf } from './languages.js';
import { renderLlmsTxt } from './llms-txt.js';
import { readNavigation } from './navigation.js';
import { readPage } from './read-page.js';
import { renderNotFound, renderPage } from './render-page.js';
import { searchEntries } from './search-entries.js';

export const GUIDE = 'docs/guide';
const ASSETS = 'scripts/docs/assets';
const STYLES = 'scripts/docs/styles';
/** What the guide shares with the console. */
const TOKENS = 'web/src/ui/tokens.css';
const SHARED = ['web/src/theme.js', 'web/src/icon.svg'];
/** Of the console's packages, whose versions package-lock.json has. */
const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
export const SITE_SOURCES = [TOKENS, ...SHARED];

/** @param folder that is made, and filled */
export async function writeSite(folder) {
  const write = (name, content) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };
  const names = filesIn(GUIDE).filter((name) => name.endsWith('.md'));
  const pages = await Promise.all(
    names.map((name) => readPage(name, readFileSync(`${GUIDE}/${name}`, 'utf8'), names)),
  );
  for (const language of Object.keys(LANGUAGES)) {
    const own = pages.filter(({ name }) => languageOf(name) === language);
    if (own.length === 0) continue;
    const sections = readNavigation(language, own);
    for (const page of own) {
      write(page.name.replace(/\.md$/, '.html'), renderPage(page, { language, sections, names }));
      write(page.name, page.markdown);
    }
    write(`assets/search-${language}.json`, JSON.stringify(own.flatMap(searchEntries)));
    if (language !== 'en') continue;
    write('404.html', renderNotFound(sections, names));
    write('llms.txt', renderLlmsTxt(sections, pages));
  }
  cpSync(ASSETS, path.join(folder, 'assets'), { recursive: true });
  for (const file of SHARED) cpSync(file, path.join(folder, 'assets', path.basename(file)));
  cpSync(FONT, path.join(folder, 'assets/inter.woff2'));
  // The server's API reference has the other one.
  for (const name of ['site', 'reference']) {
    const parts = [TOKENS, ...['font', 'top-bar', name].map((part) => `${STYLES}/${part}.css`)];
    write(`assets/${name}.css`, parts.map((part) => readFileSync(part, 'utf8')).join('\n'));
  }
}
