import type { DatasetName } from '../datasets.js';

const ID = /^vs_((?:[\w-]|~[0-9A-F]{2})+)(?:\.((?:[\w-]|~[0-9A-F]{2})+))?$/;

/** The id of a dataset as a vector store, `vs_unit.dataset`: safe in a path, with other characters as `~` and two hex digits. */
export const toVectorStoreId = ({
  tenantUnitId,
  datasetId,
}: {
  tenantUnitId: string;
  datasetId: string;
}): string => `vs_${encode(tenantUnitId)}.${encode(datasetId)}`;

/** Reads the id of a vector store; `vs_dataset` names no unit. @returns undefined where it names nothing */
export function readVectorStoreId(id: string): DatasetName | undefined {
  const [, first, second] = ID.exec(id) ?? [];
  if (first === undefined) return undefined;
  try {
    return second === undefined
      ? { datasetId: decode(first) }
      : { unitId: decode(first), datasetId: decode(second) };
  } catch {
    // It is no UTF-8.
    return undefined;
  }
}

const encode = (name: string): string =>
  encodeURIComponent(name)
    .replace(/[.!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '~');

const decode = (part: string): string => decodeURIComponent(part.replaceAll('~', '%'));
