/*
 * Writes the reference of the documentation (docs/guide/reference) and .env.example from the code, which it compiles first. With --check
 * it compiles nothing, and fails when one of them is stale.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

process.chdir(path.join(import.meta.dirname, '..'));
const isCheck = process.argv.includes('--check');
if (!isCheck)
  execFileSync('npm', ['run', '--silent', 'build:server'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
const { referencePages } = await import('../dist/src/reference/pages.js');

const stale = [];
for (const [file, text] of await referencePages()) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(file);
  if (isCheck) continue;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
if (isCheck && stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run "node scripts/reference.js" and commit them.\n`);
  process.exitCode = 1;
}
