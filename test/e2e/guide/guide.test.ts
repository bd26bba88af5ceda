import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../../src/async/concurrency-limit.js';
import { readBlocks } from './read-blocks.js';
import { runPage } from './run-page.js';

/*
 * The blocks of the guide, in order, as readers paste them; CONTRIBUTING.md says how they are marked. One page alone:
 * GUIDE_PAGE=how-to/webhooks npx vitest run test/e2e/guide
 */

const GUIDE = 'docs/guide';
const pages = [
  'README.md',
  `${GUIDE}/tutorial.md`,
  ...readdirSync(`${GUIDE}/how-to`).map((name) => `${GUIDE}/how-to/${name}`),
].filter((page) => page.includes(process.env.GUIDE_PAGE ?? '') && readFileSync(page, 'utf8').includes('```'));
const limit = createConcurrencyLimit({ perKey: 2 });

test.concurrent.for(pages)('%s', async (page) => {
  const { run, parsed } = await limit.run('pages', () => runPage(page));
  const kinds = readBlocks(page).map(({ kind }) => kind);
  const count = (...some: string[]) => kinds.filter((kind) => some.includes(kind)).length;
  expect({ run, parsed }).toEqual({
    run: count('shell', 'program', 'statement'),
    parsed: count('parsed', 'install'),
  });
  expect(run + parsed > 0).toBe(kinds.some((kind) => kind !== 'output'));
});
