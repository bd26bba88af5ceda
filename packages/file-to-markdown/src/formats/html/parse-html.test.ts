import { describe, expect, it } from 'vitest';
import { onlyPage, parseFixture, parseString } from '../../../test/support/parse.js';

const page = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const words = (about: string) => `<p>${`All about ${about}, and then some more of it. `.repeat(8)}</p>`;

async function markdownOf(html: string): Promise<string> {
  return (await parseString(html)).pages[0]?.markdown ?? '';
}

describe('HTML', () => {
  it('takes the article and leaves the menus', async () => {
    const { title, pages } = await parseFixture('article.html');
    const markdown = pages[0]?.markdown ?? '';
    expect(title).toBe('How ferries cross the sound');
    expect(markdown).toMatch(/^# How ferries cross the sound\n\nEvery morning at six/);
    expect(markdown).toContain('## The timetable\n\nThe timetable changes');
    expect(markdown).toContain('| Season | Ships |\n| --- | --- |\n| Summer | 2 |\n| Winter | 1 \\| spare |');
    expect(markdown).toContain('`day_pass`');
    expect(markdown).not.toMatch(/Home|Subscribe|imprint|track/);
  });

  it('takes the whole body where there is no article', async () => {
    const html =
      '<!doctype html><title>T</title><nav>Menu</nav><p>Short_text &amp; <a href="/x">link</a>.</p>';
    expect(await parseString(html)).toEqual({
      subType: 'html',
      mediaType: 'text/html',
      title: 'T',
      pages: onlyPage('# T\n\nShort_text & link.'),
    });
  });

  it('reads a declared code page', async () => {
    const { pages } = await parseFixture('cp1252.html');
    expect(pages[0]?.markdown).toContain('Der Preis betrug 15,50 €.');
  });

  it('survives markup nested very deep', async () => {
    const nested = page(`${'<div>'.repeat(20_000)}deep text${'</div>'.repeat(20_000)}`);
    expect((await parseString(nested)).pages).toEqual(onlyPage('deep text'));
    const quoted = `${'<blockquote>'.repeat(200)}quoted<br>twice${'</blockquote>'.repeat(200)}`;
    expect((await parseString(page(`${quoted}<p>after</p>`))).pages).toEqual(
      onlyPage(`${'> '.repeat(30)}quoted\n${'> '.repeat(30)}twice\n\nafter`),
    );
  });
});

describe('what surrounds the text', () => {
  it('goes: banners, forms, bread crumbs, related links', async () => {
    const html = page(
      `<div class="cookie-consent"><p>We use cookies.</p><button>Accept</button></div><header><nav>Menu</nav></header>
      <article><header><h1>Harbour closes</h1><p class="byline">By Ann Lee</p></header>${words('the harbour')}
      <div class="newsletter">Sign up<form><input></form></div>${words('repairs')}</article>
      <section class="related"><h2>Related</h2><a>Other</a></section><footer>Imprint</footer>`,
      '<title>Harbour closes - The Daily Sound</title>',
    );
    const { title, pages } = await parseString(html);
    expect(title).toBe('Harbour closes');
    const markdown = pages[0]?.markdown ?? '';
    expect(markdown).toMatch(/^# Harbour closes\n\nBy Ann Lee\n\nAll about the harbour/);
    expect(markdown).toMatch(/All about repairs[^\n]+$/);
    expect(markdown).not.toMatch(/cookies|Menu|Sign up|Related|Imprint/);
  });

  it('is not told by names alone: sections of manuals are called after their headings', async () => {
    const ids = [
      'cookies',
      'sharing-files',
      'related-work',
      'social-security',
      'nav',
      'menu-bar',
      'footer-notes',
    ];
    const sections = ids.map((id) => `<h2>${id}</h2>${words(id)}<p>See <a href="#x">there</a>.</p>`);
    for (const [open, close] of [
      [(id: string) => `<section id="${id}">`, '</section>'],
      [(id: string) => `<div class="section" id="${id}">`, '</div>'],
    ] as const) {
      const manual = sections.map((text, i) => `${open(ids[i] ?? '')}${text}${close}`).join('');
      const markdown = await markdownOf(page(`<nav>Menu</nav><div role="main">${manual}</div>`));
      expect(markdown.match(/^## .+$/gm)).toEqual(ids.map((id) => `## ${id}`));
      for (const id of ids) expect(markdown).toContain(`All about ${id}, and then`);
    }
  });

  it('stays where it is the page', async () => {
    const report =
      '<header><h1>Report</h1><p>In thousands.</p></header><section><h2>Income</h2><p>Rose.</p></section>';
    expect(await markdownOf(page(report))).toBe('# Report\n\nIn thousands.\n\n## Income\n\nRose.');
    expect(await markdownOf(page('<form><p>All of an old page.</p></form>'))).toBe('All of an old page.');
    expect(await markdownOf(page('<nav>Only links</nav>'))).toBe('Only links');
  });

  it('keeps what an article would leave out of a page without menus', async () => {
    const html = page(
      `<p>FORM 10-K</p><div>${words('the company')}${words('its risks')}</div><p>Signed.</p>`,
    );
    expect(await markdownOf(html)).toMatch(/^FORM 10-K\n\nAll about the company[\s\S]+\n\nSigned\.$/);
  });

  it('includes parts of the body that stand beside it', async () => {
    const html =
      '<html><header><p>Before</p></header><body><p>Within, and longer than the rest.</p></body></html>';
    expect(await markdownOf(html)).toContain('Within, and longer than the rest.');
  });

  it('includes what images show, once', async () => {
    const html = '<p><img alt="A map"></p><div><a><img alt="Trowel"></a><h3>Trowel</h3></div>';
    expect(await markdownOf(page(html))).toBe('A map\n\n### Trowel');
  });
});

describe('code and lists of terms', () => {
  it('keeps code with its language, however it is marked up', async () => {
    const html = page(
      '<pre><code class="language-yaml">a:\n  b: 1\n</code></pre><div class="highlight-python"><pre><span>def</span> x():\n    pass</pre></div><pre class="brush: js">let a</pre>',
    );
    expect(await markdownOf(html)).toBe(
      '```yaml\na:\n  b: 1\n```\n\n```python\ndef x():\n    pass\n```\n\n```js\nlet a\n```',
    );
  });

  it('keeps terms with their definitions, and questions with their answers', async () => {
    const html =
      '<dl><dt>Hit</dt><dd>Found.</dd><dt>Miss</dt><dd>Not found.</dd></dl><details><summary>Why?</summary><p>So.</p></details>';
    expect(await markdownOf(page(html))).toBe('**Hit**\nFound.\n\n**Miss**\nNot found.\n\nWhy?\n\nSo.');
  });

  it('leaves out how characters are read', async () => {
    const ruby = '<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</ruby>';
    expect(await markdownOf(page(`<h2>${ruby}</h2><p>${ruby}都</p>`))).toBe('## 東京\n\n東京都');
  });

  it('makes headings one line, without the mark of their link', async () => {
    expect(await markdownOf(page('<h2><b>One<br>two</b><a href="#x">¶</a></h2><p>a<br><br>b</p>'))).toBe(
      '## One two\n\na\n\nb',
    );
  });
});

describe('tables', () => {
  it('repeats what spans rows, and joins headings', async () => {
    const html =
      '<table><caption>Rates</caption><tr><th rowspan=2>Route</th><th colspan=2>Price</th></tr><tr><th>Adult</th><th>Child</th></tr>' +
      '<tr><td rowspan=2>North</td><td>4</td><td>2</td></tr><tr><td>5</td><td>3</td></tr><tr><td colspan=3>In euro</td></tr></table>';
    expect(await markdownOf(page(html))).toBe(
      'Rates\n\n| Route | Price Adult | Price Child |\n| --- | --- | --- |\n| North | 4 | 2 |\n| North | 5 | 3 |\n| In euro |  |  |',
    );
  });

  it('unwraps tables that lay out a page', async () => {
    const html =
      '<table><tr><td><p>Left</p></td><td><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>';
    expect(await markdownOf(page(html))).toBe('Left\n\n| A | B |\n| --- | --- |\n| 1 | 2 |');
  });

  it('keeps apart what stands in one cell, and marks the items of its lists', async () => {
    const cells = [
      'Fee<div>per day</div>or week',
      '<ul><li>Ada</li><li>Eva<ol><li>first</li><li>second</li></ol></li></ul>',
      '<a>One</a><a>Two</a> <b>Gr</b>ey',
      '<img alt="Flag of Norway">Oslo<blockquote>Quiet</blockquote>',
      '<label><input type="checkbox" checked>Paid</label><label><input type="checkbox">Late</label>',
      '<dl><dt>Berth</dt><dd>7</dd></dl><ul><li>alone</li></ul><select><option>a</option></select>',
    ];
    const row = (from: number) =>
      `<tr>${cells
        .slice(from, from + 2)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`;
    expect(await markdownOf(page(`<table>${row(0)}${row(2)}${row(4)}</table>`))).toBe(
      '| Fee per day or week | - Ada - Eva 1. first 2. second |\n| --- | --- |\n' +
        '| One Two Grey | Flag of Norway Oslo Quiet |\n| [x] Paid [ ] Late | Berth 7 alone |',
    );
  });

  it('shows check boxes beside a text', async () => {
    const html =
      '<input type="checkbox" id="menu"><ul><li><input type="checkbox" disabled checked> Oil the bearings</li>' +
      '<li><input type=checkbox>Read the display</li></ul><p><label>Seen <input type="CHECKBOX" checked></label></p>';
    expect(await markdownOf(page(html))).toBe(
      '-   [x] Oil the bearings\n-   [ ] Read the display\n\nSeen [x]',
    );
  });

  it('takes in rows that have lost their table, and bounds what spans', async () => {
    const orphans =
      '<center><table></center><tr><td>C</td><td>Si</td></tr><tr><td>0.4</td><td>0.2</td></tr></table>';
    expect(await markdownOf(page(orphans))).toBe('| C | Si |\n| --- | --- |\n| 0.4 | 0.2 |');
    const wide = `<table>${'<tr><td colspan=9999 rowspan=9999>a</td><td>b</td></tr>'.repeat(500)}</table>`;
    expect((await markdownOf(page(wide))).split('\n')).toHaveLength(501);
  });
});
