import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { DocumentTable, Queryable } from '../../db/schema.js';
import { replaceDatasets, writeDatasets } from './write-datasets.js';
import { replaceNames, writeNames } from './write-names.js';
import { hasProperties, propertyColumns, replaceProperties, writeProperties } from './write-properties.js';

type DocumentRow = Selectable<DocumentTable>;

/** The columns that its names are made of, but for datasets. */
const NAME_COLUMNS = ['documentName', 'title', 'enabled'] as const;

/** Writes by which datasets, names and properties new documents of one tenant are found, in their transaction. */
export async function describeNew(tx: Queryable, tenantId: string, documents: DocumentRow[]): Promise<void> {
  const write = async (
    rows: DocumentRow[],
    into: (tx: Queryable, of: { tenantId: string; documentIds: string[] }) => Promise<void>,
  ) => {
    if (rows.length > 0) await into(tx, { tenantId, documentIds: rows.map(({ id }) => id) });
  };
  const inDatasets = documents.filter(({ datasetIds }) => datasetIds.length > 0);
  await writeDatasets(tx, inDatasets);
  await write(inDatasets.filter(isNamed), writeNames);
  await write(documents.filter(hasProperties), writeProperties);
}

/** The same of a locked document that has changed, where it has changed in these. */
export async function describeChange(
  tx: Queryable,
  { before, after }: { before: DocumentRow; after: DocumentRow },
): Promise<void> {
  const document = { tenantId: after.tenantId, documentIds: [after.id] };
  const differs = (...columns: (keyof DocumentRow)[]) =>
    columns.some((column) => !isDeepStrictEqual(before[column], after[column]));
  if (differs('datasetIds')) await replaceDatasets(tx, document);
  if (differs('datasetIds', ...NAME_COLUMNS)) await replaceNames(tx, document);
  if (differs(...propertyColumns)) await replaceProperties(tx, document);
}

const isNamed = ({ enabled, documentName, title }: DocumentRow) => enabled && (documentName || title);
