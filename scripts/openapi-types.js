/*
 * Writes openapi.d.ts, the types of the REST API, from openapi.json, where that has changed. The generator needs TypeScript 5, and so is among the
 * packages of test/clients/typescript, which are installed into a temporary folder.
 *
 * With --check, only fails where openapi.json has changed since; test/clients compares the whole.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const TARGET = 'openapi.d.ts';

process.chdir(path.join(import.meta.dirname, '..'));
const hash = createHash('sha256').update(readFileSync('openapi.json')).digest('hex');
const heading = `// Types of the REST API, made by "npm run openapi" from openapi.json, SHA-256 ${hash}.\n\n`;

const isFresh = existsSync(TARGET) && readFileSync(TARGET, 'utf8').startsWith(heading);
if (!process.argv.includes('--check')) {
  if (!isFresh) writeFileSync(TARGET, heading + generate());
} else if (!isFresh) {
  process.stderr.write(`${TARGET} is older than openapi.json. Run: npm run openapi\n`);
  process.exitCode = 1;
}

function generate() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-types-'));
  const run = (...args) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    cpSync('test/clients/typescript', folder, { recursive: true });
    cpSync('openapi.json', path.join(folder, 'openapi.json'));
    run('ci', '--ignore-scripts', '--no-audit', '--no-fund');
    run('run', 'generate');
    return readFileSync(path.join(folder, 'api.ts'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
