/*
 * Makes the tarball of the package from a folder of its own: `npm pack` here would need a dist without what only this checkout
 * uses, from which servers and commands may be running. Takes the options of `npm pack`, such as --pack-destination.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COPIED_PACKAGES } from './copied-packages.js';

process.chdir(path.join(import.meta.dirname, '..'));
const TSC = 'node_modules/typescript/bin/tsc';
const PACKAGES = Object.values(COPIED_PACKAGES).flatMap(({ place }) => place ?? []);
const manifest = readManifest('.');
const staged = mkdtempSync(path.join(os.tmpdir(), 'lectern-package-'));
try {
  for (const name of [...manifest.files, 'README.md'])
    if (name !== 'dist' && existsSync(name)) cpSync(name, path.join(staged, name), { recursive: true });
  writeFileSync(
    path.join(staged, 'package.json'),
    JSON.stringify(PACKAGES.map(readManifest).reduce(withDependencies, manifest), null, 2),
  );
  // It also writes the types that the next one needs.
  runNode(TSC, '--build', ...PACKAGES);
  runNode(TSC, '-p', 'tsconfig.package.json', '--outDir', path.join(staged, 'dist'));
  for (const script of [
    'bundle-programs',
    'copy-packages',
    'build-web',
    'build-docs',
    'write-sbom',
    'set-modes',
  ])
    runNode(`scripts/${script}.js`, staged);
  // Its scripts are those of this checkout, and done.
  run('npm', ['pack', '--ignore-scripts', ...process.argv.slice(2), staged], 'inherit');
} finally {
  rmSync(staged, { recursive: true, force: true });
}

function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/** The package with what a package within it depends on, but for what is copied as well. */
function withDependencies(outer, inner) {
  const added = Object.entries(inner.dependencies).filter(([name]) => !(name in COPIED_PACKAGES));
  return {
    ...outer,
    dependencies: { ...outer.dependencies, ...Object.fromEntries(added) },
    optionalDependencies: { ...outer.optionalDependencies, ...inner.optionalDependencies },
  };
}

/** What it prints must not come between the lines of npm's result. */
function runNode(...args) {
  run(process.execPath, args, process.stderr);
}

function run(program, args, stdout) {
  const { status, error } = spawnSync(program, args, {
    stdio: ['ignore', stdout, 'inherit'],
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(args[0] ?? program)} ended with ${status}`);
}
