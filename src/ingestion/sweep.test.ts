import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftFiles } from './sweep.js';

test('removes old files and folders with pictures, and leaves those in use', async () => {
  const tempDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-'));
  try {
    for (const age of ['old', 'new']) {
      await writeFile(path.join(tempDir, `${age} file`), 'text');
      await mkdir(path.join(tempDir, `${age} folder`));
      await writeFile(path.join(tempDir, `${age} folder`, 'picture-0'), 'pixels');
    }
    const long = new Date(Date.now() - 25 * 3_600_000);
    for (const name of ['old file', 'old folder']) await utimes(path.join(tempDir, name), long, long);
    for await (const _ of removeLeftFiles({ tempDir, clock: () => new Date() }));
    expect((await readdir(tempDir)).sort()).toEqual(['new file', 'new folder']);
  } finally {
    await rm(tempDir, { recursive: true, force: true });
  }
});
