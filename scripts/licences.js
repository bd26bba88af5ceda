/*
 * Writes docs/licences.md: the licences of all packages that run in production, the console's too, on any platform, as package-lock.json has
 * them. With --check it fails when the file is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COPIED_PACKAGES } from './copied-packages.js';

const FILE = 'docs/licences.md';

process.chdir(path.join(import.meta.dirname, '..'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const document = describe(findProduction());

if (!process.argv.includes('--check')) {
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(FILE, document);
} else if (read(FILE) !== document) {
  process.stderr.write(`${FILE} is stale: run "npm run licences" and commit it.\n`);
  process.exitCode = 1;
}

/** The places in the lock file of what runs in production. */
function findProduction() {
  const places = new Set();
  const addDependencies = (from) => {
    const { dependencies, optionalDependencies } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = resolve(name, from);
      if (places.has(place)) continue;
      places.add(place);
      addDependencies(place);
    }
  };
  addDependencies('');
  addDependencies('web');
  for (const [name, { withDependencies }] of Object.entries(COPIED_PACKAGES)) {
    places.add(`node_modules/${name}`);
    if (withDependencies) addDependencies(`node_modules/${name}`);
  }
  return [...places].filter((place) => !isEmpty(place));
}

/** Where Node.js finds a package that one at `place` depends on. */
function resolve(name, place) {
  const nested = path.posix.join(place, 'node_modules', name);
  return nested in packages
    ? nested
    : resolve(name, place === 'web' ? '' : place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''));
}

/** What `overrides` put in the place of something that is not needed. */
function isEmpty(place) {
  return packages[place].name === 'empty-npm-package';
}

function describe(places) {
  const byLicence = new Map();
  for (const place of places) {
    const { version, license = 'none stated' } = packages[place];
    const name = place.replace(/^.*node_modules\//, '');
    byLicence.set(license, [...(byLicence.get(license) ?? []), `${name} ${version}`]);
  }
  const sections = [...byLicence]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([licence, names]) => `## ${licence}\n\n${[...new Set(names)].sort().join(', ')}\n`);
  return `# Licences of dependencies

What runs in production, on any platform. Made by \`npm run licences\`.

${sections.join('\n')}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
