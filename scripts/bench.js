/* Runs a benchmark by its name: `npm run bench -- search --chunks 10000`. Without a name it lists them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const BENCHES = {
  api: 'the API beside rivals that give the same answers',
  'auth-timing': 'whether response times reveal what is wrong with a key',
  backup: 'backups and restores of invented chunks and files',
  chunking: 'CPU time of parsing, splitting, languages, keywords and terms of files',
  citus: 'one PostgreSQL beside a cluster of a coordinator and two workers',
  console: 'paints, scripts and long frames of the console in Chromium',
  fuzz: 'hostile requests, files and web pages: fails on 5xx, a pause or an exit',
  ingest: 'processing of a folder: outcomes, and the latency of other requests',
  isolation: 'tenant isolation',
  meaning: 'search by meaning',
  overlap: 'what the search engines find beside a search that scores every chunk',
  paraphrases: 'makes a test collection whose questions share no word with their answers',
  parsers: 'the words found in files beside those that other parsers find',
  profile: 'CPU profiles of the most frequent calls, for flame graphs',
  scans: 'the words that text recognition finds on pages whose text is known',
  search: 'chunk search beside a tsvector query and Meilisearch',
  soak: 'a steady load for hours, and what of memory, files, connections and tables grows',
  sync: 'the outbox sync beside a bulk load into Meilisearch',
};
/** What is not in `dist/bench`. */
const PROGRAMS = { parsers: 'packages/file-to-markdown/dist/bench/parsers.js' };
const NODE_OPTIONS = { overlap: ['--max-old-space-size=8192'] };

const [name, ...options] = process.argv.slice(2);
if (Object.hasOwn(BENCHES, name ?? '')) {
  process.chdir(path.join(import.meta.dirname, '..'));
  const program = PROGRAMS[name] ?? `dist/bench/${name}/${name}.js`;
  const { status } = spawnSync(process.execPath, [...(NODE_OPTIONS[name] ?? []), program, ...options], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  const lines = Object.entries(BENCHES).map(([each, summary]) => `  ${each.padEnd(12)} ${summary}\n`);
  const text = `Usage: npm run bench -- NAME [options]\n\n${lines.join('')}\nEach says its options: npm run bench -- NAME --help\n`;
  const isHelp = name === undefined || name === '--help';
  (isHelp ? process.stdout : process.stderr).write(text);
  process.exitCode = isHelp ? 0 : 2;
}
