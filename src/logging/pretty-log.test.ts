import { expect, test } from 'vitest';
import { createLog } from './log.js';
import { createPrettyLogStream } from './pretty-log.js';

/** A log on a terminal, and what stands there. */
function start(hasColors = false) {
  let shown = '';
  const terminal = {
    isTTY: true,
    hasColors: () => hasColors,
    write: (text: string) => {
      shown += text;
    },
  };
  const destination = createPrettyLogStream(terminal);
  const secrets = ['correct horse battery'];
  return {
    log: createLog({ level: 'info', secrets, ...(destination && { destination }) }),
    shown: () => shown,
  };
}

const TIME = String.raw`\[\d\d:\d\d:\d\d\]`;

test('pretty-prints on a terminal, unbuffered', () => {
  const { log, shown } = start();
  log.info({ sizeBytes: 3 }, 'stored');
  expect(shown()).toMatch(new RegExp(`^${TIME} INFO: stored \\{"sizeBytes":3\\}\n$`));
});

test('uses colours if supported', () => {
  const { log, shown } = start(true);
  log.warn('careful');
  expect(shown()).toContain('\u001b[33mWARN\u001b[39m');
});

test('prints errors with causes, without secrets', () => {
  const { log, shown } = start();
  log.error({ err: new Error('no way in with correct horse battery') }, 'internal error');
  expect(shown()).toMatch(new RegExp(`^${TIME} ERROR: internal error`));
  expect(shown()).toContain('no way in with …');
  expect(shown()).toContain('pretty-log.test.ts');
});

test('escapes control characters', () => {
  const { log, shown } = start();
  log.info({ path: '/\u001b[2J\u009b2J\u007f' }, 'cleared\u001b]0;title\u0007');
  log.error({ err: new Error('broken\u001b[31m') }, 'failed\r\u001b[A');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(shown()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('logs JSON elsewhere', () => {
  expect(createPrettyLogStream({ isTTY: false, write: () => {} })).toBeUndefined();
  expect(createPrettyLogStream({ write: () => {} })).toBeUndefined();
});
