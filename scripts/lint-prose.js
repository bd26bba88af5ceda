/*
 * Checks that documents and messages are in plain English: `scripts/prose/rules.js` has the rules. With files, checks those alone.
 */
import { readFileSync } from 'node:fs';
import { findFaults, findLongSentences, findTitleCase } from './prose/find-faults.js';
import { readMarkdown } from './prose/read-markdown.js';
import { readStrings } from './prose/read-strings.js';
import { INVERTED_ENGLISH, PROSE } from './prose/rules.js';
import { filesIn } from './static-files.js';

/** Pages that have faults from before the rules. Add none. */
const UNFINISHED = ['docs/guide/tutorial.md'];

const given = process.argv.slice(2);
const files = given.length > 0 ? given : [...documents(), ...sources()];
const reports = files.flatMap((file) => {
  const faults = faultsOf(file);
  if (given.length > 0 || !UNFINISHED.includes(file)) {
    return faults.map(({ line, rule, say, sentence }) => `${file}:${line} ${rule}: ${say}\n  ${sentence}\n`);
  }
  return faults.length > 0 ? [] : [`${file} has no faults: take it off the list in scripts/lint-prose.js\n`];
});
if (reports.length > 0) {
  process.stderr.write(`${reports.join('')}\nPlain English: ${reports.length} to fix.\n`);
  process.exitCode = 1;
}

function faultsOf(file) {
  const text = readFileSync(file, 'utf8');
  const faults = file.endsWith('.md')
    ? faultsOfMarkdown(file, file === 'CHANGELOG.md' ? unreleased(text) : text)
    : findFaults(readStrings(file, text), INVERTED_ENGLISH);
  return faults.sort((one, other) => one.line - other.line);
}

function faultsOfMarkdown(file, text) {
  const blocks = readMarkdown(text);
  const rules = PROSE.filter((rule) => rule.files?.test(file) ?? true);
  return [...findFaults(blocks, rules), ...findLongSentences(blocks), ...findTitleCase(blocks)];
}

/** Without the releases, which stay as they were written. */
function unreleased(changelog) {
  return changelog.slice(0, changelog.search(/^## \[\d/m));
}

function documents() {
  const guide = filesIn('docs/guide').filter((name) => name.endsWith('.md') && !name.startsWith('zh/'));
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...guide.map((name) => `docs/guide/${name}`)];
}

/** Lists of stop words have archaic ones. */
function sources() {
  const isRead = (name) => /(?<!\.test|\.d)\.ts$/.test(name) && !name.includes('stop-words');
  const server = ['src', 'packages/embedded-postgres/src', 'packages/file-to-markdown/src'].flatMap(
    (folder) =>
      filesIn(folder)
        .filter(isRead)
        .map((name) => `${folder}/${name}`),
  );
  const console = filesIn('web/src').filter((name) => name.endsWith('/messages.en.ts'));
  return [...server, ...console.map((name) => `web/src/${name}`)];
}
