import { expect, test } from 'vitest';
import { createRequestSize } from './request-size.js';

const answerAtOnce = async () => {};

test('requests have as many texts as they may until questions are slow, and again when they were not for long', async () => {
  const size = createRequestSize(30_000);
  const { isShort, maxCharacters } = size;
  expect({ isShort, maxCharacters }).toEqual({ isShort: false, maxCharacters: Number.POSITIVE_INFINITY });
  size.record(1_000, 1_000);
  await size.adapt(true, answerAtOnce);
  expect(size.isShort).toBe(true);
  expect(size.maxCharacters).toBe(10_000);
  await size.adapt(false, answerAtOnce);
  expect(size.isShort).toBe(false);
  expect(size.maxCharacters).toBe(Number.POSITIVE_INFINITY);
});

test('a request has one text until the speed is known, and then follows it', async () => {
  const size = createRequestSize(30_000);
  await size.adapt(true, answerAtOnce);
  expect(size.maxCharacters).toBe(0);
  size.record(1_000, 1_000);
  expect(size.maxCharacters).toBe(10_000);
  for (let i = 0; i < 50; i++) size.record(1_000, 10_000);
  expect(size.maxCharacters).toBeCloseTo(1_000, 0);
});

test('after one text that takes too long for questions, they have as long alone', async () => {
  const size = createRequestSize(30_000);
  size.record(500, 20_000);
  expect(size.pauseMs).toBe(0);
  await size.adapt(true, answerAtOnce);
  expect(size.pauseMs).toBe(20_000);
  size.record(500, 10_000);
  expect(size.pauseMs).toBe(0);
});

test('an endpoint that is slow when it has nothing else to do is asked once, and sent all', async () => {
  const size = createRequestSize(0);
  let pings = 0;
  const ping = async () => void pings++;
  await size.adapt(true, ping);
  await size.adapt(true, ping);
  expect({ isShort: size.isShort, pings }).toEqual({ isShort: false, pings: 1 });
});
