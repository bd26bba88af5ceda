import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A call with its reason, which has to be plain text. */
const MARKED = /\bunscoped\(\s*[\w.]+,\s*'([^'\n]+)',?\s*\)/g;
const ANY_CALL = /\bunscoped\((?!\))/g;

const sources = ['src', 'db'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

test('every statement without tenant condition is marked unscoped, with a documented reason', () => {
  const marked = sources.flatMap((file) => {
    const code = readFileSync(file, 'utf8');
    const reasons = [...code.matchAll(MARKED)].map(([, reason]) => reason);
    expect({ file, calls: code.match(ANY_CALL)?.length ?? 0 }).toEqual({ file, calls: reasons.length });
    return reasons.map((reason) => `- \`${file}\`: ${reason}`);
  });
  const listed = readFileSync('docs/unscoped-statements.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(listed.sort()).toEqual(marked.sort());
});
