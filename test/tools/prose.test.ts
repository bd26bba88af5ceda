import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultOf } from './patterns/check-pattern.js';
import { findPatterns } from './patterns/find-patterns.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-prose-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What is reported of a file: line and rule of each fault. */
function faultsIn(
  name: string,
  text: string,
): Promise<{ status: unknown; faults: string[]; output: string }> {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/lint-prose.js', file], (error, _, output) => {
      const faults = output.split('\n').flatMap((line) => /:(\d+ [a-z-]+): /.exec(line)?.[1] ?? []);
      resolve({ status: error?.code ?? 0, faults, output: output.replaceAll(file, name) });
    });
  });
}

test('a fault is reported with its place, its rule, what to write instead, and its sentence', async () => {
  const text = '# Keys\n\nA key has a tenant. Keys\nare made anew with `please` by\nthe server.\n';
  expect(await faultsIn('page.md', text)).toEqual({
    status: 1,
    faults: ['4 archaic-word'],
    output: `page.md:4 archaic-word: say "so", "must", "because", "in it", "on", "while", "again"
  Keys are made anew with please by the server.

Plain English: 1 to fix.
`,
  });
});

const PLANTED = [
  ['such', 'A backup that has such is refused.'],
  ['such', 'Such a backup is refused.'],
  ['that-there-is', 'It names a tenant that there is not.'],
  ['that-there-is', 'It prints what there is of it.'],
  ['of-which', 'It has four processes, of which one is idle.'],
  ['is-of', 'A time that no date is of is refused.'],
  ['verb-before-subject', 'It follows no links, nor does it read pipes.'],
  ['verb-before-subject', 'It ends, and so do its children.'],
  ['has-not', 'The storage has files that the backup has not.'],
  ['but-for-except', 'It refuses anything but JSON.'],
  ['archaic-word', 'The key shall be kept.'],
  ['archaic-word', 'It goes on for ever.'],
  ['archaic-turn', 'No version of it can be had.'],
  ['in-order-to', 'Restart it in order to apply the change.'],
  ['filler', 'Simply restart it.'],
  ['latin', 'It reads formats, e.g. PDF.'],
  ['click-on', 'Click on **Save**.'],
  ['exclamation-mark', 'It works!'],
  ['double-space', 'It has  two spaces.'],
  ['passive-with-actor', 'The key is checked by the server.'],
  ['private-word', 'The log tells why it failed.'],
  ['private-word', 'A worker waits for its turn.'],
  ['long-sentence', `It has ${'many '.repeat(29)}words.`],
] as const;

test('every rule is found in paragraphs, items and cells', async () => {
  const page = PLANTED.map(
    ([, sentence]) =>
      `${sentence}\n\n- an item\n- ${sentence}\n\n| a | b |\n|---|---|\n| c | ${sentence} |\n`,
  ).join('\n');
  const { faults } = await faultsIn('page.md', page);
  expect(faults).toEqual(PLANTED.flatMap(([rule], i) => [1, 4, 8].map((line) => `${9 * i + line} ${rule}`)));
});

test('headings are in sentence case, but for names', async () => {
  const text = '# 1. Deploy with Docker Compose\n\n## Deploy The server\n\n### Node.js and PostgreSQL\n';
  expect((await faultsIn('page.md', text)).faults).toEqual(['3 sentence-case']);
});

test('how-to guides and the reference are in the present', async () => {
  const text = 'The server will answer.\n';
  expect((await faultsIn('docs/guide/how-to/page.md', text)).faults).toEqual(['1 future-tense']);
  expect((await faultsIn('docs/guide/explanation/page.md', text)).faults).toEqual([]);
});

test('code, quotations and plain sentences are left alone', async () => {
  const text = `# A page

It reads formats such as PDF; there is no such file as \`such a file\`. It answers "Not found, shall I look!".
It has names: ${'`name`, '.repeat(40)}and no others. The list is sorted by the time.

\`\`\`sh
echo please  wait!
\`\`\`
`;
  expect(await faultsIn('page.md', text)).toEqual({ status: 0, faults: [], output: '' });
});

test('of a program, strings of several words are read for archaic turns', async () => {
  const code = `// What is such?
const key = 'such';
export const help = \`Deletes \${key} anew, please.

  --all  such a tenant\`;
throw new Error('There is no such tenant ' + "that there is in it");
`;
  expect((await faultsIn('program.ts', code)).faults).toEqual([
    '3 archaic-word',
    '5 such',
    '6 that-there-is',
  ]);
});

test('the rules take linear time', () => {
  const patterns = ['rules', 'find-faults', 'read-markdown', 'read-strings'].flatMap(
    (name) => findPatterns(`scripts/prose/${name}.js`).literals,
  );
  expect(patterns.length).toBeGreaterThan(15);
  expect(patterns.map((pattern) => [pattern.source, faultOf(pattern)]).filter(([, fault]) => fault)).toEqual(
    [],
  );
}, 600_000);
