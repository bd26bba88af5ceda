import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/* The build of the console in a checkout where nothing is installed. */

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(path.join(os.tmpdir(), 'lectern-build-web-'));
  mkdirSync(path.join(checkout, 'dist'));
  for (const name of ['build-web', 'static-files'])
    cpSync(`scripts/${name}.js`, path.join(checkout, `scripts/${name}.js`));
  writeFileSync(path.join(checkout, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(checkout, 'package-lock.json'), '{}');
  mkdirSync(path.join(checkout, 'web'));
  writeFileSync(path.join(checkout, 'web/index.html'), '<!doctype html>');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const build = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/build-web.js', ...args], { cwd: checkout, encoding: 'utf8' });

test('without a bundler it fails, and leaves nothing half built', () => {
  const { status, stderr } = build();
  expect(status).toBe(1);
  expect(stderr).toContain("Cannot find package 'vite'");
  expect(existsSync(path.join(checkout, 'dist/web'))).toBe(false);
});

test('where it is optional, it says so and goes on', () => {
  const { status, stderr } = build('--optional');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^The console was not built: Cannot find package 'vite'.*\n$/);
});

test('where nothing has changed since, it does nothing', () => {
  // A bundler that bundles nothing but the page.
  const vite = path.join(checkout, 'node_modules/vite');
  mkdirSync(vite, { recursive: true });
  writeFileSync(path.join(vite, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(
    path.join(vite, 'index.js'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
export async function build({ build: { outDir } }) {
  mkdirSync(outDir, { recursive: true });
  for (const name of ['index.html', 'first.js']) writeFileSync(outDir + '/' + name, 'x'.repeat(2_000));
  const chunk = { file: 'first.js' };
  const manifest = { 'index.html': chunk, 'src/screens/overview/overview.tsx': chunk };
  writeFileSync(outDir + '/manifest.json', JSON.stringify(manifest));
}
`,
  );
  expect(build()).toMatchObject({ status: 0, stdout: 'console: 0 kB of JavaScript for the first screen\n' });
  const list = JSON.parse(readFileSync(path.join(checkout, 'dist/web/files.json'), 'utf8'));
  expect(list.files).toEqual({
    'first.js': {
      type: 'text/javascript; charset=utf-8',
      encodings: ['br', 'gzip'],
      etag: expect.any(String),
    },
    'index.html': { type: 'text/html; charset=utf-8', encodings: ['br', 'gzip'], etag: expect.any(String) },
  });
  expect(build()).toMatchObject({ status: 0, stdout: '' });

  writeFileSync(path.join(checkout, 'web/index.html'), '<!doctype html><p>');
  expect(build().stdout).toContain('console: ');

  // Text without repetition, which cannot be compressed.
  const bundle = readFileSync(path.join(vite, 'index.js'), 'utf8');
  writeFileSync(
    path.join(vite, 'index.js'),
    bundle.replace("'x'.repeat(2_000)", "(await import('node:crypto')).randomBytes(300_000).toString('hex')"),
  );
  writeFileSync(path.join(checkout, 'web/index.html'), '<!doctype html><p>large');
  const { status, stderr } = build();
  expect(status).toBe(1);
  expect(stderr).toMatch(/the first screen needs \d+ bytes of JavaScript, more than 130000/);
});
