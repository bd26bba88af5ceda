import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder, PRIVATE } from './folders.js';

const home = mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-folders-'));
afterAll(() => rmSync(home, { recursive: true }));
const inHome = (name: string) => path.join(home, name);
writeFileSync(inHome('file'), '');
symlinkSync(inHome('nowhere'), inHome('link'));
symlinkSync(inHome('loop'), inHome('loop'));

test('what is missing is made, closed to others, and what is there is left', async () => {
  expect(await makeFolder(inHome('a/b/c'), PRIVATE)).toBe(inHome('a'));
  expect(await makeFolder(inHome('a/b/c'), PRIVATE)).toBeUndefined();
  const made = ['a', 'a/b', 'a/b/c'].map((name) => statSync(inHome(name)).mode & 0o777);
  expect(made).toEqual([0o700, 0o700, 0o700]);
  symlinkSync(inHome('a'), inHome('another'));
  expect(await makeFolder(inHome('another'), PRIVATE)).toBeUndefined();
  expect(await makeFolder(inHome('another/d'), PRIVATE)).toBe(inHome('another/d'));
});

test('made by several at once', async () => {
  const all = Array.from({ length: 20 }, () => makeFolder(inHome('x/y/z'), PRIVATE));
  await Promise.all(all);
  expect(statSync(inHome('x/y/z')).isDirectory()).toBe(true);
});

const onLinux = process.platform === 'linux' ? ['/proc/a', '/proc/a/b', '/proc/self/a/b', '/dev/null/a'] : [];
test.each([...['file', 'file/a', 'link', 'link/a', 'link/a/b', 'loop', 'loop/a'].map(inHome), ...onLinux])(
  '%s is refused at once',
  async (folder) => {
    await expect(makeFolder(folder, PRIVATE)).rejects.toMatchObject({
      code: expect.stringMatching(/^(EEXIST|ENOTDIR|ENOENT|ELOOP)$/),
      syscall: 'mkdir',
    });
  },
);
