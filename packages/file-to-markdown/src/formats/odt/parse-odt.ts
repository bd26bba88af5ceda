import { ParseError } from '../../errors.js';
import { toPagedDocument } from '../../shared/text/page-breaks.js';
import { descendants, elementAt, textContent } from '../../shared/xml/xml-tree.js';
import { openZipParts, requirePart, type ZipParts } from '../../shared/zip/zip-parts.js';
import { TextBudget } from '../../text-budget.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { insertCheckBoxes } from './check-boxes.js';
import { insertFormulas } from './formulas.js';
import { readBlocks } from './read-blocks.js';
import { readStyles } from './styles.js';

/** OpenDocument texts: headings, paragraphs, lists, tables and notes, with pages where they are recorded. */
export async function parseOdt({
  source,
  signal,
  textBudget = new TextBudget(),
}: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await source.readAll());
  await refuseEncrypted(parts);
  const content = requirePart(await parts.xml('content.xml'), 'OpenDocument text');
  const styles = readStyles(content, await parts.xml('styles.xml'));
  signal?.throwIfAborted();
  await insertFormulas(content, parts);
  const body = requirePart(elementAt(content, 'body', 'text'), 'OpenDocument text');
  insertCheckBoxes(body);
  return toPagedDocument(readBlocks(body, styles, textBudget).join('\n\n'), await metaTitle(parts));
}

async function refuseEncrypted(parts: ZipParts): Promise<void> {
  const manifest = await parts.xml('META-INF/manifest.xml').catch(() => undefined);
  if (!manifest || descendants(manifest, 'encryption-data').next().done) return;
  const message = 'The document is protected by a password; remove the password and upload it again.';
  throw new ParseError('encrypted', message);
}

async function metaTitle(parts: ZipParts): Promise<string | undefined> {
  const meta = await parts.xml('meta.xml').catch(() => undefined);
  return textContent(elementAt(meta, 'meta', 'title')).trim() || undefined;
}
