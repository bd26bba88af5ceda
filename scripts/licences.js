/*
 * Writes docs/licences.md: the licences of all packages that run in production, the console's too, on any platform, as package-lock.json has
 * them. With --check it fails when the file is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProduction } from './production-packages.js';

const FILE = 'docs/licences.md';

process.chdir(path.join(import.meta.dirname, '..'));
const document = describe(findProduction());

if (!process.argv.includes('--check')) {
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(FILE, document);
} else if (read(FILE) !== document) {
  process.stderr.write(`${FILE} is stale: run "node scripts/licences.js" and commit it.\n`);
  process.exitCode = 1;
}

function describe(packages) {
  const byLicence = new Map();
  for (const { name, version, license = 'none stated' } of packages) {
    byLicence.set(license, [...(byLicence.get(license) ?? []), `${name} ${version}`]);
  }
  const sections = [...byLicence]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([licence, names]) => `## ${licence}\n\n${[...new Set(names)].sort().join(', ')}\n`);
  return `# Licences of dependencies

What runs in production, on any platform. Made by \`node scripts/licences.js\`.

${sections.join('\n')}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
