import { describe, expect, it } from 'vitest';
import { parseString } from '../../../test/support/parse.js';

const HEAD =
  '<title>Ferries</title><meta property="og:type" content="article"><link rel="canonical" href="https://paper.test/ferries">';
const words = (about: string) => `<p>${`All about ${about}, and then some more of it. `.repeat(8)}</p>`;

async function markdownOf(body: string, head = HEAD): Promise<string> {
  const html = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
  return (await parseString(html)).pages[0]?.markdown ?? '';
}

const article = (between: string) =>
  markdownOf(`<article><h1>Ferries</h1>${words('the sea')}${between}${words('the land')}</article>`);

describe('an article', () => {
  it('loses teasers, also those with but their picture in a link, and the heading over them', async () => {
    const teaser = (title: string) => `<div><a href="/x"><img></a><h4>${title}</h4></div>`;
    const markdown = await article(
      `<div class="rail"><h3>Most read</h3>${teaser('A harbour burns')}${teaser('A bridge opens')}</div>
      <p><b>Related:</b> <a href="/bridge">How the bridge over the sound was built</a></p>`,
    );
    expect(markdown).not.toMatch(/Most read|burns|opens|Related/);
    expect(markdown).toContain('All about the land');
  });

  it('keeps links to other sites, which are its sources', async () => {
    const markdown = await article(
      '<p><a href="https://ministry.test/report">The report of the ministry</a></p><p><a href="/more">More about ferries here</a></p>',
    );
    expect(markdown).toContain('The report of the ministry');
    expect(markdown).not.toContain('More about ferries');
  });

  it('keeps posts that it quotes, in whatever element they stand', async () => {
    const post =
      '<div class="social-media-embed"><blockquote><p>The ferry is late again.</p>A passenger <a href="https://posts.test/1">November 18, 2019</a></blockquote></div>';
    expect(await article(post)).toContain('The ferry is late again.');
  });

  it('loses labels for screen readers and what is only printed', async () => {
    const markdown = await article(
      '<figure><img><figcaption><span class="sr-only">Image caption</span> The ferry at dawn</figcaption></figure><div class="d-none d-print-block">Printed on paper alone</div>',
    );
    expect(markdown).toContain('The ferry at dawn');
    expect(markdown).not.toMatch(/Image caption|Printed/);
  });

  it('has each caption once', async () => {
    const caption =
      'The ferry leaves the harbour in the fog on a Monday in the winter of the year, as it does on most days';
    const markdown = await article(
      `<ul><li><img alt="${caption}. Photo: A. Lee"><div>${caption}</div><div>${caption.slice(0, 80)} ... more</div></li></ul>
      <p><img alt="ferries-0815_2"></p>`,
    );
    expect(markdown.split('The ferry leaves')).toHaveLength(2);
    expect(markdown).not.toContain('0815');
  });
});

describe('a manual', () => {
  it('keeps its notes, that are asides', async () => {
    const body = `<main><h1>Guide</h1>${words('use')}<aside class="note"><p>Mind the gap.</p></aside></main>`;
    expect(await markdownOf(body, '<title>Guide</title>')).toContain('Mind the gap.');
  });
});

describe('sections that are left out', () => {
  const left = (text: string) => `<div class="comments-area"><h3>Comments</h3>${text}</div>`;
  const warningsOf = async (body: string) => {
    const warnings: unknown[] = [];
    await parseString(`<!doctype html><html><head>${HEAD}</head><body>${body}</body></html>`, {
      warn: (code, where) => warnings.push([code, where]),
    });
    return warnings;
  };
  const page = (beside: string) => `<article><h1>Ferries</h1>${words('the sea')}</article>${beside}`;

  it('are named where they hold more than a few sentences', async () => {
    const comments = '<p>I like ferries. They are slow. But the view! It is so good. I go by them daily.</p>';
    expect(await warningsOf(page(left(comments)))).toEqual([['sections_left_out', { name: 'Comments' }]]);
  });

  it('are not named where they are short, or menus', async () => {
    expect(await warningsOf(page(left('<p>No comments. Write one.</p>')))).toEqual([]);
    expect(await warningsOf(page(`<footer><h3>Imprint</h3>${words('us')}</footer>`))).toEqual([]);
  });
});
