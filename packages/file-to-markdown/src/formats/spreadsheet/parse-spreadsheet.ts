import { read, set_cptable, type WorkBook } from '@e965/xlsx';
import { corruptFileError, ParseError } from '../../errors.js';
import { type NumberedRow, numberedRowsToMarkdown } from '../../shared/tables/row-groups.js';
import { paragraphOf, type RowParagraph } from '../../shared/tables/row-paragraph.js';
import { toPagesOfRows } from '../../shared/tables/to-pages.js';
import { findZip } from '../../shared/zip/zip-end.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import { TextBudget } from '../../text-budget.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { withoutCustomProperties } from './custom-properties.js';
import { type Drawn, readDrawnTexts } from './drawn-texts.js';
import { readSheetPaths } from './sheet-paths.js';
import { readSheetRows } from './sheet-rows.js';
import { splitTables } from './split-tables.js';
import { zipOfCells } from './workbook-zip.js';
import { isXlsContainer, readXlsStreams, writeXlsContainer } from './xls-container.js';
import { readXlsDrawnTexts } from './xls-drawn-texts.js';

/** Excel workbooks, old and new: each visible sheet a page, with the values as Excel shows them, then drawn texts. */
export async function parseSpreadsheet(input: ParseInput): Promise<ParserResult> {
  const source = withoutCustomProperties(await input.source.readAll());
  const isZip = findZip(source) >= 0;
  const parts = isZip ? await openZipParts(source) : undefined;
  // Before 1997 text was in the code page of its language.
  if (!isZip) set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  input.signal?.throwIfAborted();
  const paths = parts ? await readSheetPaths(parts) : [];
  const streams = !parts && isXlsContainer(source) ? readXlsStreams(source) : undefined;
  const workbook = open(
    parts ? await zipOfCells(parts, paths) : streams ? writeXlsContainer(streams) : source,
  );
  const budget = input.textBudget ?? new TextBudget();
  const drawn = parts
    ? await readDrawnTexts(parts, paths, budget)
    : readXlsDrawnTexts(streams?.get('Workbook'));
  const title = workbook.Props?.Title?.trim();
  return { pages: readSheets(workbook, drawn, input), ...(title && { title }) };
}

function open(bytes: Buffer): WorkBook {
  try {
    // Dates in the format that follows the reader's country are shown as 2026-11-21.
    return read(bytes, { dense: true, cellFormula: false, cellHTML: false, dateNF: 'yyyy-mm-dd' });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) {
      const message = 'The workbook is protected by a password; remove the password and upload it again.';
      throw new ParseError('encrypted', message, { cause: error });
    }
    throw corruptFileError('workbook', error);
  }
}

async function* readSheets(
  workbook: WorkBook,
  drawn: Drawn[],
  { signal, textBudget, onProgress, warn }: ParseInput,
): AsyncGenerator<ParsedPage> {
  for (const [index, name] of workbook.SheetNames.entries()) {
    signal?.throwIfAborted();
    const sheet = workbook.Sheets[name];
    const isHidden = workbook.Workbook?.Sheets?.[index]?.Hidden;
    const tables = sheet ? splitTables(readSheetRows(sheet, textBudget)) : [];
    const { texts = [], hasPictures } = drawn[index] ?? {};
    if (isHidden) continue;
    const page = { number: index + 1, sheet: name };
    if (tables.length + texts.length > 0) yield* toPagesOfRows(page, withHeading(name, tables, texts));
    else if (!sheet) warn?.('unreadable_parts', { name });
    else if (hasPictures) warn?.('pages_without_text', { page: index + 1 });
    onProgress?.((index + 1) / workbook.SheetNames.length);
  }
}

async function* withHeading(
  name: string,
  tables: NumberedRow[][],
  texts: string[],
): AsyncGenerator<RowParagraph> {
  yield paragraphOf(`## ${name.replace(/\s+/g, ' ').trim()}`, null);
  for (const rows of tables) {
    // A single column is a text rather than a table.
    if (rows.every(({ cells }) => cells.length === 1)) {
      yield* rows.map(({ cells: [text = ''], number }) => paragraphOf(text.trim(), number));
    } else yield* numberedRowsToMarkdown(rows);
  }
  for (const text of texts) yield paragraphOf(text, null);
}
