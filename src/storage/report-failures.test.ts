import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFolder } from './check-storage.js';
import { createLocalDisk } from './local-disk.js';
import { reportFailures } from './report-failures.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-failures-'));
});
afterAll(() => rm(folder, { recursive: true }));

const lines: Record<string, any>[] = [];
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
const silent = pino({ level: 'silent' });

async function* source(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('text');
}

test('failures are counted, and logged once in a while with their cause', async () => {
  const place = path.join(folder, 'occupied');
  await writeFile(place, '');
  const failures: string[] = [];
  const onFailure = (operation: string) => void failures.push(operation);
  const storage = reportFailures(createLocalDisk(place), { log, onFailure });
  for (let i = 0; i < 3; i++) {
    await expect(storage.write(source(), { maxBytes: 10 })).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(failures).toEqual(['write', 'write', 'write']);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'the file storage fails',
      operation: 'write',
      storage: place,
      err: expect.objectContaining({ code: 'ENOTDIR', message: expect.stringContaining(place) }),
    }),
  ]);
});

test('missing files are no failures', async () => {
  const failures: string[] = [];
  const onFailure = (operation: string) => void failures.push(operation);
  const storage = reportFailures(createLocalDisk(folder), { log: silent, onFailure });
  const key = '6a0b1c2d-0000-4000-8000-000000000000';
  expect(await storage.remove(key)).toBe(false);
  await expect(storage.read(key).toArray()).rejects.toMatchObject({ code: 'not_found' });
  expect(failures).toEqual([]);
});

test('a folder is made, and a file in its place is refused', async () => {
  const place = path.join(folder, 'a', 'b');
  await checkFolder(place, 'DATA_DIR', silent);
  await checkFolder(place, 'DATA_DIR', silent);
  const modes = [place, path.dirname(place)].map(async (made) => (await stat(made)).mode & 0o066);
  expect(await Promise.all(modes)).toEqual([0, 0]);
  await rm(place, { recursive: true });
  await writeFile(place, '');
  for (const unusable of [place, path.join(place, 'files')])
    await expect(checkFolder(unusable, 'DATA_DIR', silent)).rejects.toThrow(
      new RegExp(`^Files cannot be written to ${unusable} .* or set DATA_DIR\\.$`),
    );
});
