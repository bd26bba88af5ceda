import { read, set_cptable, type WorkBook } from '@e965/xlsx';
import { corruptFileError, ParseError } from '../../errors.js';
import { numberedRowsToMarkdown } from '../../shared/tables/row-groups.js';
import { paragraphOf, type RowParagraph } from '../../shared/tables/row-paragraph.js';
import { toPagesOfRows } from '../../shared/tables/to-pages.js';
import { isCommentsPart } from '../../shared/zip/is-comments-part.js';
import { findZip } from '../../shared/zip/zip-end.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import { TextBudget } from '../../text-budget.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { type CellComment, readComments } from './comments.js';
import { withoutCustomProperties } from './custom-properties.js';
import { type Drawn, readDrawnTexts } from './drawn-texts.js';
import { readSheetPaths } from './sheet-paths.js';
import { readSheetRows } from './sheet-rows.js';
import { splitTables } from './split-tables.js';
import { type CommentedTable, withComments } from './with-comments.js';
import { zipOfCells } from './workbook-zip.js';
import { isXlsContainer, readXlsStreams, writeXlsContainer } from './xls-container.js';
import { readXlsDrawnTexts } from './xls-drawn-texts.js';

/** How a workbook says that a sheet is shown, or hidden from menus; one of more only a program can show. */
const SHOWN = 0;
const HIDDEN = 1;

/**
 * Excel workbooks, old and new: each sheet a page, with the values as Excel shows them, comments on cells, then drawn
 * texts. Sheets that only a program can show are left out.
 */
export async function parseSpreadsheet(input: ParseInput): Promise<ParserResult> {
  const source = withoutCustomProperties(await input.source.readAll());
  const isZip = findZip(source) >= 0;
  const parts = isZip ? await openZipParts(source, { allowDamage: isCommentsPart }) : undefined;
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
  const isWithComments = parts && input.comments !== false;
  const comments = isWithComments ? await readComments(parts, paths, budget, input.warn) : [];
  const title = workbook.Props?.Title?.trim();
  return { pages: readSheets(workbook, { drawn, comments }, input), ...(title && { title }) };
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
  { drawn, comments }: { drawn: Drawn[]; comments: CellComment[][] },
  { signal, textBudget, onProgress, warn }: ParseInput,
): AsyncGenerator<ParsedPage> {
  for (const [index, name] of workbook.SheetNames.entries()) {
    signal?.throwIfAborted();
    const sheet = workbook.Sheets[name];
    const hidden = workbook.Workbook?.Sheets?.[index]?.Hidden ?? SHOWN;
    const rows = sheet ? readSheetRows(sheet, textBudget) : [];
    const tables = withComments(splitTables(rows), comments[index] ?? [], rows);
    const { texts = [], hasPictures } = drawn[index] ?? {};
    if (hidden > HIDDEN) continue;
    const heading = hidden === HIDDEN ? `${name} (hidden sheet)` : name;
    const page = { number: index + 1, sheet: name };
    if (tables.length + texts.length > 0) yield* toPagesOfRows(page, withHeading(heading, tables, texts));
    else if (!sheet) warn?.('unreadable_parts', { name });
    else if (hasPictures) warn?.('pages_without_text', { page: index + 1 });
    onProgress?.((index + 1) / workbook.SheetNames.length);
  }
}

async function* withHeading(
  heading: string,
  tables: CommentedTable[],
  texts: string[],
): AsyncGenerator<RowParagraph> {
  yield paragraphOf(`## ${heading.replace(/\s+/g, ' ').trim()}`, null);
  for (const { rows, notes } of tables) {
    // A single column is a text rather than a table.
    if (rows.every(({ cells }) => cells.length === 1)) {
      yield* rows.map(({ cells: [text = ''], number }) => paragraphOf(text.trim(), number));
    } else yield* numberedRowsToMarkdown(rows);
    yield* notes;
  }
  for (const text of texts) yield paragraphOf(text, null);
}
