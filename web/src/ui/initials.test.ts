import { expect, test } from 'vitest';
import { hueOf, initialsOf } from './initials';

test.each([
  ['Ada Park', 'AP'],
  ['  ada   van der Berg ', 'AB'],
  ['Ada', 'A'],
  ['ada.park@acme.example', 'AP'],
  ['user-4f2a9c', 'U4'],
  ['陈伟', '伟'],
  ['欧阳小明', '明'],
  ['陈伟 (Sales)', '陈('],
  ['🦊 Fox', '🦊F'],
  ['', '?'],
  ['@', '?'],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('a person has one hue', () => {
  expect([hueOf('ada'), hueOf('ada'), hueOf('x'.repeat(300))]).toEqual([
    hueOf('ada'),
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(hueOf('ada')).not.toBe(hueOf('ben'));
});
