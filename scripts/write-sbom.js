/*
 * Writes dist/sbom.cdx.json, of another folder where one is given: the software bill of materials (CycloneDX): what npm finds in package-lock.json, of which what
 * is installed with the tarball or copied into it. The same sources give the same bytes, so it has the day of the release
 * for its time, and a serial number made of its content.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProduction } from './production-packages.js';

const FILE = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'), 'dist/sbom.cdx.json');

process.chdir(path.join(import.meta.dirname, '..'));
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const sbom = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' }));

const root = sbom.metadata.component['bom-ref'];
const shipped = new Set(findProduction().map((one) => `${one.name}@${one.version}`));
sbom.components = sbom.components.filter((one) => shipped.has(nameOf(one)));
const refs = new Set([root, ...sbom.components.map((one) => one['bom-ref'])]);
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
const missing = [...shipped].filter((one) => !sbom.components.some((component) => nameOf(component) === one));
if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`);

// npm takes the name of the folder.
sbom.metadata.component.name = name;
sbom.metadata.timestamp = `${dayOfRelease()}T00:00:00.000Z`;
delete sbom.serialNumber;
const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom))}`;
mkdirSync(path.dirname(FILE), { recursive: true });
writeFileSync(FILE, `${JSON.stringify({ ...sbom, serialNumber }, null, 2)}\n`);

function nameOf({ group, name, version }) {
  return `${group ? `${group}/` : ''}${name}@${version}`;
}

function dayOfRelease() {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - (\\d{4}-\\d{2}-\\d{2})$`, 'm');
  const [, day] = heading.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  if (!day) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return day;
}

/** A UUID of version 8, made of a hash. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
