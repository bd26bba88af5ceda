/*
 * Runs the unit tests, and those of the program and the server, on other versions of Node.js: `npm run test:node -- 22 24`.
 * They come from the package registry, without install scripts. Where one cannot be had its tests are skipped, loudly; with
 * CI=true that is a failure.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const TESTS = ['test/e2e/program.test.ts', 'test/e2e/server.test.ts'];
const RUNS = [['--project', 'unit'], TESTS];

process.chdir(path.join(import.meta.dirname, '..'));
const versions = process.argv.slice(2);
if (versions.length === 0 || versions.some((version) => !/^\d+(\.\d+)*$/.test(version))) {
  process.stderr.write('Say which versions: npm run test:node -- 22 24\n');
  process.exit(2);
}
for (const version of versions) {
  const found = runNode(version, ['-p', 'process.version'], 'pipe');
  const exact = found.stdout?.trim().split('\n').at(-1) ?? '';
  if (exact.startsWith(`v${version}.`) || exact === `v${version}`) {
    for (const run of RUNS) {
      process.stdout.write(`\nNode.js ${exact}: vitest run ${run.join(' ')}\n`);
      const { status } = runNode(version, ['node_modules/vitest/vitest.mjs', 'run', ...run], 'inherit');
      if (status !== 0) process.exitCode = 1;
    }
  } else {
    process.stderr.write(
      `\n!!! SKIPPED: nothing was tested on Node.js ${version}, which cannot be had here:\n${found.stderr}\n`,
    );
    if (process.env.CI === 'true') process.exitCode = 1;
  }
}

/** The package `node` is made by an install script; those that it chooses from have none. */
function runNode(version, args, stdio) {
  const source = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@${version}`;
  const npm = ['exec', '--yes', '--ignore-scripts', `--package=${source}`, '--', 'node', ...args];
  return spawnSync('npm', npm, { encoding: 'utf8', stdio: ['ignore', stdio, stdio] });
}
