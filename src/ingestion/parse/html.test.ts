import { describe, expect, it } from 'vitest';
import { onlyPage, parseFixture, parseString } from '../../../test/support/parse.js';

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
    const page =
      '<!doctype html><title>T</title><nav>Menu</nav><p>Short_text &amp; <a href="/x">link</a>.</p>';
    expect(await parseString(page)).toEqual({
      subType: 'html',
      mediaType: 'text/html',
      title: 'T',
      pages: onlyPage('Short_text & link.'),
    });
  });

  it('reads a declared code page', async () => {
    const { pages } = await parseFixture('cp1252.html');
    expect(pages[0]?.markdown).toContain('Der Preis betrug 15,50 €.');
  });

  it('survives markup nested very deep', async () => {
    const nested = `<!doctype html><html><body>${'<div>'.repeat(20_000)}deep text${'</div>'.repeat(20_000)}</body></html>`;
    const { pages } = await parseString(nested);
    expect(pages).toEqual(onlyPage('deep text'));
  });
});
