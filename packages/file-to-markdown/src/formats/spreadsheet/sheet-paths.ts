import { ParseError } from '../../errors.js';
import { readRelationships } from '../../shared/xml/office-relationships.js';
import { childElements, elementAt } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

/** Bytes of parts that are read again for another sheet: no program writes a part for two of them. */
const MAX_REPEATED_BYTES = 10 * 2 ** 20;

/**
 * The parts of a workbook's sheets, in their order; undefined where the workbook does not say which it is.
 *
 * @throws ParseError `too_large` where a part stands for too many sheets
 */
export async function readSheetPaths(parts: ZipParts): Promise<(string | undefined)[]> {
  const workbook = (await readRelationships(parts, '')).find(({ type }) => type === 'officeDocument');
  if (!workbook) return [];
  const sheets = elementAt(await parts.xml(workbook.path), 'sheets');
  const relations = new Map(
    (await readRelationships(parts, workbook.path)).map(({ id, path }) => [id, path]),
  );
  const paths = sheets
    ? childElements(sheets, 'sheet').map(({ attributes }) => relations.get(attributes['r:id'] ?? ''))
    : [];
  await refuseRepeated(paths, parts);
  return paths;
}

async function refuseRepeated(paths: (string | undefined)[], parts: ZipParts): Promise<void> {
  if (new Set(paths).size === paths.length) return;
  const sizes = new Map<string, number>();
  let repeated = 0;
  for (const path of paths) {
    if (path === undefined) continue;
    const size = sizes.get(path);
    if (size === undefined) sizes.set(path, (await parts.bytes(path))?.length ?? 0);
    else repeated += size;
  }
  if (repeated <= MAX_REPEATED_BYTES) return;
  throw new ParseError(
    'too_large',
    'A sheet of the workbook is repeated too often; save it again and upload that.',
  );
}
