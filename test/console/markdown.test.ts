import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'help' };
const ANSWER = `# Returns

Send it back **within 30 days**, see [the rules](https://shop.invalid/rules).
Then:

1. Pack it.
2. Print the label:
   \`\`\`sh
   label --order 1042
   \`\`\`

### Costs

| Country | Postage |
|---|--:|
| Germany | 4.90 |
| Iceland | 19.00 |

> We pay it for *faulty* parcels.`;
const HOSTILE = `<script>document.title = 'taken'</script>
<img src="https://track.invalid/1.png" onerror="document.title = 'taken'">

[a](javascript:document.title='taken') [b](data:text/html,x) [c](/keys) <javascript:alert(1)>
[mail](mailto:ann@shop.invalid) ![a picture](https://track.invalid/2.png) ![](https://track.invalid/3.png "x")

###### Deep
# High
### Skips`;

describe.skipIf(!hasBrowser)('Markdown', () => {
  const { app, open } = useConsole();

  async function talk(...contents: [messageFrom: string, content: string][]): Promise<string> {
    const { conversationId } = await app.trpc().messages.append.mutate({
      scope,
      conversation: { topic: 'Returns' },
      messages: contents.map(([messageFrom, content], place) => ({
        id: crypto.randomUUID(),
        messageFrom,
        content,
        requestedTime: new Date(place).toISOString(),
      })),
    });
    return `/conversations?tenant=acme&unit=help&conversation=${conversationId}`;
  }
  const transcript = (page: Page) => page.getByRole('region', { name: /^(Transcript|对话记录)$/ });

  test('of agents is rendered, and its source is a click away', async () => {
    const at = await talk(
      ['user', 'How do I return *this*?'],
      ['agent', ANSWER],
      ['tool', '*raw*'],
      ['agent', '{"a": "*b*"}'],
    );
    const page = await open(at);
    const said = transcript(page);
    await said.getByRole('heading', { name: 'Returns', exact: true }).waitFor();
    expect(await said.getByRole('cell').allTextContents()).toEqual(['Germany', '4.90', 'Iceland', '19.00']);
    expect(await said.locator('pre').allTextContents()).toEqual(['label --order 1042']);
    const link = said.getByRole('link', { name: 'the rules', exact: true });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await link.getAttribute('target')).toBe('_blank');
    for (const raw of ['How do I return *this*?', '*raw*', '{"a": "*b*"}']) {
      await said.getByText(raw, { exact: true }).waitFor();
    }
    await screenshot(page, 'markdown-conversation');
    await expectAccessible(page);
    await said.getByRole('button', { name: 'Source', exact: true }).click();
    await said.getByText('Send it back **within 30 days**').waitFor();
    expect(await said.getByRole('table').count()).toBe(0);
    await page.reload();
    await said.getByText('Send it back **within 30 days**').waitFor();
    await said.getByRole('button', { name: 'Rendered', exact: true }).click();
    await said.getByRole('table').waitFor();
  });

  test('of strangers runs nothing, loads nothing and leads only to the web and to mail', async () => {
    const page = await open(await talk(['agent', HOSTILE]));
    const said = transcript(page);
    await said.getByText('<script>').waitFor();
    expect(await said.locator('script, img, iframe, [onerror]').count()).toBe(0);
    const links = await said
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]));
    expect(links).toEqual([
      ['mail', 'mailto:ann@shop.invalid'],
      ['a picture', 'https://track.invalid/2.png'],
      ['https://track.invalid/3.png', 'https://track.invalid/3.png'],
    ]);
    expect(await page.title()).not.toBe('taken');
    await expectAccessible(page);
  });

  test('that is long or made to be slow does not hold up the page', async () => {
    const long = (part: string) => `Text\n\n${part.repeat(100_000 / part.length)}`;
    const parts = [
      '[',
      '*',
      '>',
      'a*',
      '__a',
      '**a*_',
      '1. ',
      '- ',
      '`a',
      '![a](',
      'a@',
      '- a\n',
      '|',
      '<a ',
    ];
    const page = await open(await talk(...parts.map((part): [string, string] => ['agent', long(part)])));
    const said = transcript(page);
    for (let left = parts.length; left > 0; left--) {
      await said
        .getByRole('button', { name: 'Show all of it', exact: true })
        .nth(left - 1)
        .click();
    }
    await expect
      .poll(() => said.getByRole('button', { name: 'Show all of it', exact: true }).count())
      .toBe(0);
    // A page that still computes does not do this.
    await said.getByRole('button', { name: 'Source', exact: true }).click();
    await expect.poll(() => said.getByText(long('a*')).count()).toBe(1);
  });

  test.each([
    ['light', 'en'],
    ['dark', 'zh'],
  ] as const)('fits a telephone, %s, %s', async (colorScheme, language) => {
    const wide = `|${'a column | '.repeat(12)}\n|${'---|'.repeat(12)}\n|${'1 | '.repeat(12)}`;
    const at = await talk(['user', 'And?'], ['agent', ANSWER], ['agent', wide]);
    const page = await open(at, { colorScheme, language, viewport: { width: 390, height: 844 } });
    await transcript(page).getByRole('table').nth(1).waitFor();
    await expectNoOverflow(page);
    await screenshot(page, `markdown-390-${language}`);
    await expectAccessible(page);
  });

  test('of a document is rendered in its source and its chunks, which light each other up', async () => {
    const { id: documentId } = await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentSubType: 'md',
      documentName: 'Returns.md',
      documentContent: ANSWER,
      datasetIds: ['faq'],
      chunking: { size: 200, overlap: 20 },
    });
    await app.settle();
    const page = await open(`/documents/${documentId}?tenant=acme&unit=help`);
    const source = page.getByRole('region', { name: 'Source', exact: true });
    const chunks = page.getByRole('region', { name: 'Chunks and source', exact: true });
    await source.getByRole('cell', { name: 'Iceland', exact: true }).waitFor();
    await chunks.getByRole('cell', { name: 'Iceland', exact: true }).first().waitFor();
    const lit = async () => (await source.locator('[data-lit]').allTextContents()).join('|');
    await chunks.getByText('Pack it.').first().hover();
    await expect.poll(lit).toContain('Pack it.');
    expect(await lit()).not.toContain('faulty');
    await screenshot(page, 'markdown-document');
    await expectAccessible(page);
    await source.getByText('faulty').hover();
    await expect.poll(() => chunks.locator('[data-lit] blockquote').count()).toBe(1);
    await source.getByRole('button', { name: 'Source', exact: true }).click();
    await source.getByText('| Iceland | 19.00 |').waitFor();
    await chunks.getByText('| Iceland | 19.00 |').first().waitFor();
  });
});
