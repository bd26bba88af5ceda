import type { Inputs } from '../../../api/trpc';
import type { Reader } from '../../../common/documents/readers';
import type { UploadTarget } from './uploads';

export const kinds = ['files', 'text', 'urls', 'sitemap', 'bucket'] as const;
export type Kind = (typeof kinds)[number];

/** What somebody has chosen and typed to add documents. */
export interface Draft {
  kind: Kind;
  files: File[];
  name: string;
  content: string;
  /** One on each line. */
  urls: string;
  sitemap: string;
  storageType: 's3' | 'gcs';
  bucket: string;
  path: string;
  unit: string;
  datasets: string[];
  size: string;
  overlap: string;
  extraction: Reader;
  /** One on each line; `\n` stands for the end of a line. */
  separators: string;
}

/** Without name and datasets, which are proposed. */
export const emptyDraft: Omit<Draft, 'name' | 'datasets'> = {
  kind: 'files',
  files: [],
  content: '',
  urls: '',
  sitemap: '',
  storageType: 's3',
  bucket: '',
  path: '',
  unit: '',
  size: '',
  overlap: '',
  extraction: 'auto',
  separators: '',
};

/** What all kinds of documents have in common. */
export const targetOf = (draft: Draft, tenantId: string): UploadTarget => ({
  scope: { tenantId, tenantUnitId: draft.unit.trim() },
  datasetIds: draft.datasets,
  chunking: chunkingOf(draft),
  extraction: draft.extraction,
});

/** The options that differ from the server's; undefined where none does. */
export function chunkingOf({ size, overlap, separators }: Draft): Inputs['documents']['create']['chunking'] {
  const given = readLines(separators).map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t'));
  const chunking = {
    ...(size !== '' && { size: Number(size) }),
    ...(overlap !== '' && { overlap: Number(overlap) }),
    ...(given.length > 0 && { separators: given }),
  };
  return Object.keys(chunking).length > 0 ? chunking : undefined;
}

/** Lines with something on them. */
export const readLines = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
