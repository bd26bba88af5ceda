import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'offers' };
const attachment = (name: string) => [
  '--x',
  `Content-Type: application/octet-stream; name="${name}"`,
  'Content-Disposition: attachment',
  '',
  'AC1032\u0001\u0002',
];
const mailWith = (...names: string[]) =>
  [
    'From: Ann <ann@example.test>',
    'Subject: Offer',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'The offer is attached.',
    ...names.flatMap(attachment),
    '--x--',
  ].join('\r\n');

describe.skipIf(!hasBrowser)('warnings of documents', () => {
  const { app, open } = useConsole();
  const list = `/documents?tenant=acme&unit=${scope.tenantUnitId}`;

  async function add(documentName: string, documentContent: string): Promise<string> {
    const given = { scope, documentType: 'UnstructuredFile' as const, documentName, documentContent };
    const { id } = await app.trpc().documents.create.mutate(given);
    await app.settle();
    return id;
  }

  test('the list names who has some, and shows those alone; the preview tells of them before', async () => {
    await add('whole.txt', 'Nothing is lost of this.');
    await add('offer.eml', mailWith('plan.dwg'));
    const page = await open(list);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('offer.eml').getByText('1 warning', { exact: true }).waitFor();
    await row('whole.txt').getByText('Ready').waitFor();
    await expect
      .poll(() =>
        row('whole.txt')
          .getByText(/warning/)
          .count(),
      )
      .toBe(0);
    await screenshot(page, 'documents-warnings');
    await page.getByLabel('Status').selectOption('With warnings');
    await row('whole.txt').waitFor({ state: 'detached' });
    await row('offer.eml').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('warnings');

    await page.getByRole('button', { name: 'Add documents' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add documents' });
    await dialog.getByRole('tab', { name: 'Text' }).click();
    await dialog.getByLabel('Name').fill('second.eml');
    await dialog.getByRole('textbox', { name: 'Text' }).fill(mailWith('drawing.dwg'));
    await dialog.getByRole('button', { name: 'Preview the chunks' }).click();
    const lost = dialog.getByRole('region', {
      name: 'Parts of this source that would be missing from the chunks',
    });
    await lost.getByText('drawing.dwg').waitFor();
    await screenshot(page, 'documents-preview-warnings');
    await expectAccessible(page);
  });

  test('the document says what was lost, where, and what to do, until it is whole', async () => {
    const names = Array.from({ length: 22 }, (_, n) => `drawing-${n + 1}.dwg`);
    const id = await add('drawings.eml', mailWith(...names));
    const page = await open(`/documents/${id}?tenant=acme`);
    const panel = page.getByRole('region', { name: 'Parts of the source that are missing from the chunks' });
    await panel.getByText('Attachments that were not read').waitFor();
    expect(await panel.getByRole('listitem').getByRole('paragraph').allInnerTexts()).toEqual([
      'Attachments that were not read',
      `${names.slice(0, 20).join(', ')} and 2 more`,
      'Take off passwords, convert them to PDF, DOCX or text, and add each as a document of its own.',
    ]);
    await screenshot(page, 'document-warnings');
    await expectAccessible(page);
    await app
      .trpc()
      .documents.update.mutate({ scope, documentId: id, documentContent: 'Everything is in here.' });
    await app.settle();
    await page.reload();
    await page.getByText('Ready').waitFor();
    await expect.poll(() => panel.count()).toBe(0);
  });

  test('pages are told as ranges, in Chinese and on narrow dark screens, too', async () => {
    const id = await add('half-scanned.txt', 'Some of its pages have text.');
    const pages = [
      { from: 3, to: 3 },
      { from: 7, to: 9 },
    ];
    const warning = { code: 'pages_without_text', file: null, pages, pageCount: 4, names: [], nameCount: 0 };
    const inFile = { ...warning, file: 'scan.pdf', pages: [{ from: 2, to: 2 }], pageCount: 1 };
    // No parser of text loses pages.
    await app.db
      .updateTable('documents')
      .set({ warnings: JSON.stringify([warning, inFile]) })
      .where('tenantId', '=', scope.tenantId)
      .where('id', '=', id)
      .execute();
    const page = await open(`/documents/${id}?tenant=acme`);
    await page.getByText('Pages 3, 7–9', { exact: true }).waitFor();
    await page.getByText('Page 2', { exact: true }).waitFor();
    await page.getByText('in “scan.pdf”').waitFor();
    await page.getByText('2 warnings').waitFor();

    const narrow = await open(`/documents/${id}?tenant=acme`, {
      language: 'zh',
      colorScheme: 'dark',
      viewport: { width: 400, height: 800 },
    });
    await narrow.getByText('第 3、7–9 页', { exact: true }).waitFor();
    await expectNoOverflow(narrow);
    await screenshot(narrow, 'document-warnings-chinese-dark');
    await expectAccessible(narrow);
    const rows = await open(list, { language: 'zh', viewport: { width: 400, height: 800 } });
    await rows.getByText('2 条警告').waitFor();
    await expectNoOverflow(rows);
    await screenshot(rows, 'documents-warnings-chinese-narrow');
  });
});
