/* A page of the guide: its Markdown as HTML, and what navigation and search need of it. */
import path from 'node:path';
import { escapeHtml } from './html.js';
import { LANGUAGES, languageOf } from './languages.js';

/** What pages link to besides pages, and where a server has it. */
const SERVED = { 'openapi.json': '/openapi.json' };

/**
 * @param name its path in the guide
 * @param names of all pages
 * @throws Error where it has no title, or links to a page that does not exist
 */
export async function readPage(name, markdown, names) {
  const { Marked, Renderer } = await import('marked');
  const words = LANGUAGES[languageOf(name)];
  const headings = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const id = uniqueId(text, headings);
        headings.push({ id, text, depth });
        const anchor = `<a class="anchor" href="#${id}" aria-label="${words.anchor}">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${depth > 1 ? anchor : ''}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = resolveLink(href, name, names);
        return target === undefined
          ? `<span title="${escapeHtml(path.posix.join('docs/guide', path.posix.dirname(name), href))}">${inner}</span>`
          : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      listitem(item) {
        const [link, ...rest] = item.tokens[0]?.tokens ?? [];
        if (!isIndex(name) || link?.type !== 'link') return Renderer.prototype.listitem.call(this, item);
        const about = this.parser.parseInline(rest).replace(/^[:：]\s*/, '');
        return `<li>${this.parser.parseInline([link])}<span>${about}</span></li>\n`;
      },
      table(token) {
        return `<div class="table">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  const [title] = headings;
  if (title?.depth !== 1) throw new Error(`docs/guide/${name} does not begin with a title`);
  const first = tokens.find(({ type }) => type === 'paragraph');
  return {
    name,
    markdown,
    html,
    tokens,
    headings,
    title: title.text,
    summary: plainText(first?.tokens ?? []),
  };
}

/** Whether a page lists others, which are shown as cards. */
export const isIndex = (name) => path.posix.basename(name) === 'index.md';

/** Undefined for files of the checkout that no server has. */
function resolveLink(href, name, names) {
  if (/^(\w+:|#)/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const target = path.posix.join(path.posix.dirname(name), file);
  if (target.startsWith('../')) return SERVED[target.replace(/^(\.\.\/)+/, '')];
  if (!names.includes(target)) throw new Error(`docs/guide/${name} links to ${href}, which does not exist`);
  return file.replace(/\.md$/, '.html') + (anchor ? `#${anchor}` : '');
}

/** As GitHub makes it. */
function uniqueId(text, headings) {
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const same = headings.filter((heading) => heading.id.replace(/-\d+$/, '') === id).length;
  return same > 0 ? `${id}-${same}` : id;
}

/** What is read of tokens. */
export function plainText(tokens) {
  return tokens
    .map((token) => (token.tokens ? plainText(token.tokens) : withoutEntities(token.text ?? '')))
    .join('')
    .replace(/\s+/g, ' ');
}

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const withoutEntities = (text) => text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]);
