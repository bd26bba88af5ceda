import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { invalid } from '../errors.js';
import { writeWholeFile } from '../new-file.js';

/** The layout of a backup. A program reads those up to its own. */
const FORMAT = 1;
export const MANIFEST = 'manifest.json';

const content = { sizeBytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) };

const manifest = z.object({
  format: z.int(),
  /** When the rows were as they are here. */
  time: z.iso.datetime(),
  versions: z.object({ lectern: z.string(), postgres: z.string() }),
  /** Those that the database had, in their order. */
  migrations: z.array(z.string()).min(1),
  tables: z.record(
    z.string(),
    z.object({
      /** Within the folder: what COPY writes as text, by gzip. */
      file: z.string().regex(/^tables\/[^/]+\.copy\.gz$/),
      columns: z.array(z.string()).min(1),
      rows: z.int().min(0),
      ...content,
    }),
  ),
  sequences: z.record(z.string(), z.object({ last: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  /** The list of the files, a line of JSON for each. */
  files: z.object({ file: z.literal('files.ndjson'), count: z.int(), bytes: z.int(), ...content }),
  /** Files that rows name and the storage did not have. */
  missingFiles: z.array(z.string()),
  /** Tables that are not in the backup. */
  leftOut: z.array(z.string()),
});

export type BackupManifest = z.output<typeof manifest>;

/** A file of the storage: a line of the list. */
export const backupFile = z.object({ key: z.string().regex(/^[0-9a-f-]{36}$/), ...content });
export type BackupFile = z.output<typeof backupFile>;

/** Where the folder has a file of the storage. */
export const placeOf = (key: string): string => path.join('files', key.slice(0, 2), key);

/** Completes a backup: without this file it is none. */
export async function writeManifest(
  folder: string,
  fields: Omit<BackupManifest, 'format'>,
): Promise<BackupManifest> {
  const written: BackupManifest = { format: FORMAT, ...fields };
  const text = `${JSON.stringify({ ...written, checksum: checksumOf(written) }, null, 2)}\n`;
  await writeWholeFile(path.join(folder, MANIFEST), Readable.from([text]));
  return written;
}

/** @throws DomainError `invalid` where the folder holds no complete backup that this program knows; what keeps it from being read */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch(async (error) => {
    throw (await explainAbsence(folder, error)) ?? error;
  });
  const { checksum, ...found } = parse(text);
  if (checksum !== checksumOf(found))
    throw invalid(`${MANIFEST} is damaged: its checksum does not match.`, []);
  if (typeof found.format === 'number' && found.format > FORMAT) {
    throw invalid('The backup is of a newer version of Lectern: use that one.', []);
  }
  return manifest.parse(found);
}

/** @returns undefined where it is not known what is there */
async function explainAbsence(folder: string, { code }: NodeJS.ErrnoException): Promise<Error | undefined> {
  const say = (what: string) => invalid(`${what} Name the folder of one backup.`, []);
  if (code === 'ENOTDIR') return say(`${folder} is not a folder.`);
  if (code !== 'ENOENT') return undefined;
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!exists) return say(`There is no folder ${folder}.`);
  return invalid(`${folder} holds no complete backup: there is no ${MANIFEST}, which comes last.`, []);
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${MANIFEST} is damaged: it is no JSON.`, []);
  }
}

const checksumOf = (fields: object): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex');
