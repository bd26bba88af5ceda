import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pack } from '../support/pack.js';

const home = mkdtempSync(path.join(os.tmpdir(), 'lectern-reproducible-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function packIn(name: string, options: { isPrivate: boolean }) {
  const folder = path.join(home, name);
  mkdirSync(folder);
  const { file, names } = await pack(folder, options);
  return { names, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') };
}

test('two checkouts, of other names, times and rights, are packed into the same bytes', async () => {
  const one = await packIn('one', { isPrivate: false });
  const other = await packIn('another one', { isPrivate: true });
  expect(other).toEqual(one);
  expect(one.names).toContain('dist/sbom.cdx.json');
}, 900_000);
