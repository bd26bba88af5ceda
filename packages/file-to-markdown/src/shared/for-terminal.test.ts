import { expect, it } from 'vitest';
import { forTerminal } from './for-terminal.js';

const TEXT = 'a\u001b[2J\u009b2J \u202eb\u2066\tc\r\nd';

it('escapes control characters for a terminal', () => {
  expect(forTerminal(TEXT, { isTTY: true })).toBe('a\\u001b[2J\\u009b2J \\u202eb\\u2066\tc\\u000d\nd');
});

it('leaves text to a file or pipe exact', () => {
  expect(forTerminal(TEXT, {})).toBe(TEXT);
});
