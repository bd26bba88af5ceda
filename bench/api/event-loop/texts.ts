import { createRandom, type Random } from '../../support/random.js';

const FIRST_HAN = 0x4e00;
/** As many characters as are in common use. */
const HAN = 3_500;

/** Sentences of invented words; the same for the same seed. */
export const spacedText = (length: number, seed: number): string =>
  compose(length, createRandom(seed), (random) => `${random.word()}${random.below(12) === 0 ? '. ' : ' '}`);

/** Sentences of Chinese characters. */
export const chineseText = (length: number, seed: number): string =>
  compose(
    length,
    createRandom(seed),
    (random) => String.fromCharCode(FIRST_HAN + random.below(HAN)) + (random.below(15) === 0 ? '，' : ''),
  );

function compose(length: number, random: Random, draw: (random: Random) => string): string {
  let text = '';
  while (text.length < length) text += draw(random);
  return text.slice(0, length);
}
