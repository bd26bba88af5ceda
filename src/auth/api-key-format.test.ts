import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatApiKey, generateApiKey, hashSecret, parseApiKey } from './api-key-format.js';

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: length, maxLength: length });
const key = fc.record({ id: digits(12), secret: digits(43) });

test('parses what it formats', () => {
  fc.assert(
    fc.property(key, (parts) => {
      expect(parseApiKey(formatApiKey(parts))).toEqual(parts);
    }),
  );
});

test('a key has a form of its own, in characters that need no quoting', () => {
  fc.assert(
    fc.property(key, (parts) => {
      expect(formatApiKey(parts)).toMatch(/^lectern_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    }),
  );
});

test('detects single-character errors', () => {
  const anyCharacter = fc.oneof(fc.constantFrom(...DIGITS), fc.string({ minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(key, fc.nat({ max: 69 }), anyCharacter, (parts, at, character) => {
      const text = formatApiKey(parts);
      fc.pre(text[at] !== character);
      expect(parseApiKey(text.slice(0, at) + character + text.slice(at + 1))).toBeUndefined();
    }),
  );
});

test('detects transpositions', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 68 }), (parts, at) => {
      const text = formatApiKey(parts);
      fc.pre(text[at] !== text[at + 1]);
      const changed = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
      expect(parseApiKey(changed)).toBeUndefined();
    }),
  );
});

test('no part of a key is read, nor a key with something around it', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 69 }), fc.string({ minLength: 1 }), (parts, length, more) => {
      const text = formatApiKey(parts);
      expect(parseApiKey(text.slice(0, length))).toBeUndefined();
      expect(parseApiKey(text + more)).toBeUndefined();
      expect(parseApiKey(more + text)).toBeUndefined();
    }),
  );
});

test('rejects arbitrary text', () => {
  const nearly = fc
    .tuple(digits(12), digits(49))
    .map(([id, rest]) => `lectern_${id}_${rest}`)
    .filter((text) => formatApiKey({ id: text.slice(8, 20), secret: text.slice(21, 64) }) !== text);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), nearly), (text) => {
      expect(parseApiKey(text)).toBeUndefined();
    }),
  );
});

test('new keys differ in both parts, and use all digits', () => {
  const keys = Array.from({ length: 500 }, generateApiKey);
  expect(new Set(keys.map(({ id }) => id)).size).toBe(500);
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(500);
  expect([...new Set(keys.flatMap(({ secret }) => [...secret]))].sort()).toEqual([...DIGITS].sort());
});

test('the hash is SHA-256', () => {
  expect(hashSecret('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
