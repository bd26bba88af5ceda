import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { conflict } from '../../../errors/errors.js';
import { type FileContent, hashStream, writeWholeFile } from '../../../local-files/new-file.js';
import type { PartitionContents } from './partition-contents.js';

const NEWLINE = 0x0a;

/** Describes an archived partition; written when its file is complete. */
export interface ArchiveManifest extends PartitionContents, FileContent {
  format: 1;
  partition: string;
  from: Date | null;
  to: Date;
  file: string;
  /** When it was written. */
  time: Date;
  versions: { lectern: string; migration: string };
}

/** Writes lines as a compressed file, under another name until it is complete and has reached the disk. */
export function writeCompressed(target: string, lines: AsyncIterable<string>): Promise<FileContent> {
  const compressed = Readable.from(lines).compose(createGzip());
  return writeWholeFile(target, compressed as AsyncIterable<Uint8Array>);
}

/** Reads an archived file again. @throws DomainError `conflict` where it is not what the manifest says */
export async function verifyArchive(
  folder: string,
  { file, rows, sha256 }: Pick<ArchiveManifest, 'file' | 'rows' | 'sha256'>,
): Promise<void> {
  const { bytes, result } = hashStream(createReadStream(path.join(folder, file)));
  let lines = 0;
  try {
    await pipeline(bytes, createGunzip(), async (text: AsyncIterable<Buffer>) => {
      for await (const part of text) lines += countNewlines(part);
    });
  } catch (error) {
    throw damaged(file, (error as Error).message);
  }
  if (result().sha256 !== sha256) throw damaged(file, 'its SHA-256 differs');
  if (lines !== rows) throw damaged(file, `it has ${lines} lines instead of ${rows}`);
}

function countNewlines(part: Buffer): number {
  let count = 0;
  for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

const damaged = (file: string, why: string) =>
  conflict(
    `${file} is damaged: ${why}. Nothing was deleted; remove the file and its manifest, and run this again.`,
    [],
  );

export const manifestName = (file: string): string => file.replace(/\.ndjson\.gz$/, '.json');

/** Writes the manifest, and makes sure that the folder knows both files after a power failure. */
export async function writeManifest(folder: string, manifest: ArchiveManifest): Promise<void> {
  const target = path.join(folder, manifestName(manifest.file));
  await writeWholeFile(target, Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]));
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** @returns undefined where there is none */
export async function readManifest(folder: string, file: string): Promise<ArchiveManifest | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, manifestName(file)), 'utf8'));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw conflict(`${manifestName(file)} cannot be read: ${(error as Error).message}`, []);
  }
}
