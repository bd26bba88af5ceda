import { expect, test } from 'vitest';
import { isInScripts, scriptProbes } from './scripts.js';

test.each([
  ['How do I get a refund?', ['Latin'], true],
  ['退款要多久？', ['Latin'], false],
  ['退款要多久？', ['Latin', 'Han'], true],
  ['iPhone 退款', ['Latin'], true],
  ['払い戻しはいつ', ['Latin', 'Han'], false],
  ['払い戻しはいつ', ['Kana'], true],
  ['Как вернуть деньги?', ['Latin'], false],
  ['4711-0815', ['Latin'], true],
  ['தமிழ் கேள்வி', ['Latin', 'Han', 'Cyrillic'], false],
])('whether "%s" is in %j: %s', (text, known, expected) => {
  expect(isInScripts(text, known)).toBe(expected);
});

test('each probe has five questions and their answers, in its own script', () => {
  for (const { script, questions, answers } of scriptProbes) {
    expect({ script, sizes: [questions.length, answers.length] }).toEqual({ script, sizes: [5, 5] });
    for (const text of [...questions, ...answers])
      expect({ text, is: isInScripts(text, [script]) }).toEqual({ text, is: true });
  }
});
