import { cpuTime } from '../../../packages/file-to-markdown/test/support/cpu-time.js';
import type { Pattern } from './find-patterns.js';
import { hostileTexts } from './hostile-texts.js';

const LENGTH = 32_768;
/** On these exponential time shows, before it would never end. */
const SHORT_LENGTHS = [16, 20, 24, 28, 32, 36, 40, 128, 1024];
const RUNS = 3;
/** A linear pattern takes a millisecond or two, a quadratic one a hundred. */
const SUSPICIOUS_MS = 30;
const HOPELESS_MS = 1_000;
/** Twice the text takes twice the time, or four times. */
const LINEAR_GROWTH = 3;

/** A text on which a pattern's time grows faster than its length, or is out of all proportion; undefined if none is. */
export async function slowTextOf(pattern: Pick<Pattern, 'source' | 'flags'>): Promise<string | undefined> {
  const everywhere = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  for (const make of hostileTexts(pattern)) if (await isSlow(everywhere, make)) return make(20);
  return undefined;
}

async function isSlow(pattern: RegExp, make: (length: number) => string): Promise<boolean> {
  for (const length of SHORT_LENGTHS) if ((await time(pattern, make(length))) > SUSPICIOUS_MS) return true;
  if ((await time(pattern, make(LENGTH))) < SUSPICIOUS_MS) return false;
  const whole = await fastest(pattern, make(LENGTH));
  if (whole < SUSPICIOUS_MS) return false;
  return whole > HOPELESS_MS || whole > LINEAR_GROWTH * (await fastest(pattern, make(LENGTH / 2)));
}

async function fastest(pattern: RegExp, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) best = Math.min(best, await time(pattern, text));
  return best;
}

const time = (pattern: RegExp, text: string) => cpuTime(() => text.replace(pattern, ''));
