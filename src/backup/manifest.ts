import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { invalid } from '../errors/errors.js';
import { writeWholeFile } from '../local-files/new-file.js';
import { FILE_KEY } from '../storage/file-storage.js';
import { openFile } from './open-file.js';

/** The layout of a backup. A program reads those up to its own. */
const FORMAT = 1;
export const MANIFEST = 'manifest.json';
const MOST_PLACES = 3;

/** It may list millions of missing files. */
const MAX_BYTES = 256 * 1024 * 1024;
const ABOUT =
  'The hashes prove that this backup is as it was written, not who has written it: whoever can write to the folder can make new ones. Keep it where nobody else can write, and restore only backups of your own.';

/** Printed for people, as all names are: no control characters, which a terminal would obey. */
const name = z.string().regex(/^[^\p{Cc}\p{Cf}]{1,200}$/u);
const content = { sizeBytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) };

const manifest = z.object({
  format: z.int(),
  /** What it proves and what not, for people; later than the first format. */
  about: z.string().optional(),
  /** When the rows were as they are here. */
  time: z.iso.datetime(),
  versions: z.object({ lectern: name, postgres: name }),
  /** Those that the database had, in their order. */
  migrations: z.array(name).min(1),
  tables: z.record(
    name,
    z.object({
      /** Within the folder: what COPY writes as text, by gzip. */
      file: name.regex(/^tables\/[^/]+\.copy\.gz$/),
      columns: z.array(name).min(1),
      rows: z.int().min(0),
      ...content,
    }),
  ),
  sequences: z.record(name, z.object({ last: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() })),
  /** The list of the files, a line of JSON for each. */
  files: z.object({
    file: z.literal('files.ndjson'),
    count: z.int().min(0),
    bytes: z.int().min(0),
    ...content,
  }),
  /** Files that rows name and the storage did not have. */
  missingFiles: z.array(z.string().regex(FILE_KEY)),
  /** Tables that are not in the backup. */
  leftOut: z.array(name),
});

export type BackupManifest = z.output<typeof manifest>;

/** A file of the storage: a line of the list. */
export const backupFile = z.object({ key: z.string().regex(FILE_KEY), ...content });
export type BackupFile = z.output<typeof backupFile>;

/** Where the folder has a file of the storage. */
export const placeOf = (key: string): string => path.join('files', key.slice(0, 2), key);

/** Completes a backup: without this file it is none. */
export async function writeManifest(
  folder: string,
  fields: Omit<BackupManifest, 'format' | 'about'>,
): Promise<BackupManifest> {
  const written: BackupManifest = { format: FORMAT, about: ABOUT, ...fields };
  const text = `${JSON.stringify({ ...written, checksum: checksumOf(written) }, null, 2)}\n`;
  await writeWholeFile(path.join(folder, MANIFEST), Readable.from([text]));
  return written;
}

/** @throws DomainError `invalid` where the folder holds no complete backup that this program knows; what keeps it from being read */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const { sizeBytes, bytes } = await openFile(folder, MANIFEST).catch(async (error) => {
    throw (await explainAbsence(folder, error)) ?? error;
  });
  if (sizeBytes > MAX_BYTES) {
    bytes.destroy();
    throw invalid(`${MANIFEST} is damaged: it has ${sizeBytes} bytes.`, []);
  }
  const found = parse(await readText(bytes));
  if (typeof found.format === 'number' && found.format > FORMAT) {
    throw invalid('The backup was made by a newer version of Lectern: use that version.', []);
  }
  const result = manifest.safeParse(found);
  if (result.success) return result.data;
  const places = result.error.issues.slice(0, MOST_PLACES).map(({ path }) => JSON.stringify(path.join('.')));
  throw invalid(`${MANIFEST} is damaged: ${places.join(', ')} cannot be right.`, []);
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
    const { checksum, ...found } = JSON.parse(text);
    if (checksum === checksumOf(found)) return found;
  } catch {
    // Too deep to be written again, it is none of ours either.
    throw invalid(`${MANIFEST} is damaged: it is not JSON.`, []);
  }
  throw invalid(`${MANIFEST} is damaged: its checksum does not match.`, []);
}

const checksumOf = (fields: object): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex');
