import { expect, test } from 'vitest';
import { createProgress } from './progress.js';

/** Progress into a string, at times that the test says. */
function show({ isTTY }: { isTTY: boolean }) {
  let written = '';
  let time = 0;
  const out = {
    isTTY,
    write(text: string) {
      written += text;
    },
  };
  const progress = createProgress({ out, now: () => time });
  return {
    progress,
    at(ms: number, label: string, done: number, unit?: string) {
      time = ms;
      progress.update({ label, done, total: 1_000, unit });
    },
    get written() {
      return written;
    },
  };
}

test('elsewhere than on a terminal there is a line every few seconds, and one at the end of each step', () => {
  const shown = show({ isTTY: false });
  shown.at(0, 'Copying', 200, 'chunk');
  shown.at(1_000, 'Copying', 400, 'chunk');
  shown.at(5_000, 'Copying', 600, 'chunk');
  shown.at(6_000, 'Copying', 1_000, 'chunk');
  shown.at(6_100, 'Comparing', 0);
  shown.progress.end();
  expect(shown.written.split('\n')).toEqual([
    'Copying: 20%, 200 of 1,000 chunks',
    'Copying: 60%, 600 of 1,000 chunks, 80 a second, a few seconds left',
    'Copying: 100%, 1,000 of 1,000 chunks, 133 a second',
    'Comparing: 0%',
    '',
  ]);
});

test('on a terminal a bar is drawn over itself, and each step leaves its last', () => {
  const shown = show({ isTTY: true });
  shown.at(0, 'Copying', 0, 'chunk');
  shown.at(50, 'Copying', 100, 'chunk');
  shown.at(500, 'Copying', 500, 'chunk');
  shown.at(600, 'Comparing', 1_000);
  shown.progress.end();
  const bar = (filled: number) => `[${'#'.repeat(filled)}${'-'.repeat(30 - filled)}]`;
  expect(shown.written).toBe(
    [
      `\r\x1b[KCopying    ${bar(0)} 0%, 0 of 1,000 chunks`,
      `\r\x1b[KCopying    ${bar(15)} 50%, 500 of 1,000 chunks, 1,000 a second\n`,
      `\r\x1b[KComparing  ${bar(30)} 100%\n`,
    ].join(''),
  );
});

test('the time that is left counts down, though some take longer than others', () => {
  const shown = show({ isTTY: true });
  // A thousandth of the whole in 100 ms, but for two that take seconds.
  for (let done = 0, ms = 0; done <= 1_000; done++) {
    ms += done === 100 || done === 600 ? 4_000 : 100;
    shown.at(ms, 'Copying', done);
  }
  const seconds = [...shown.written.matchAll(/about (?:(\d+) min )?(\d+) s left/g)].map(
    ([, min = '0', s = '']) => 60 * Number(min) + Number(s),
  );
  expect(seconds.length).toBeGreaterThan(500);
  expect(seconds[0]).toBe(90);
  expect(seconds.filter((one, i) => one > (seconds[i - 1] ?? one))).toEqual([]);
});

test('what becomes much slower is told to take longer', () => {
  const shown = show({ isTTY: true });
  for (let ms = 0; ms <= 10_000; ms += 100) shown.at(ms, 'Copying', ms / 12.5);
  expect(shown.written.endsWith('80%, a few seconds left')).toBe(true);
  for (let ms = 10_100; ms <= 60_000; ms += 100) shown.at(ms, 'Copying', 800 + (ms - 10_000) / 1_000);
  expect(shown.written.slice(-18)).toMatch(/, about [34][05] s left$/);
});

test('of nothing everything is done', () => {
  const shown = show({ isTTY: false });
  shown.progress.update({ label: 'Copying', done: 0, total: 0, unit: 'chunk' });
  expect(shown.written).toBe('Copying: 100%, 0 of 0 chunks\n');
});
