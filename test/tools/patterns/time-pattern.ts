import type { Pattern } from './find-patterns.js';
import { hostileTexts } from './hostile-texts.js';

const LENGTH = 32_768;
/** On these exponential time shows, before it would never end. */
const SHORT_LENGTHS = [16, 20, 24, 28, 32, 36, 40, 128, 1024];
const RUNS = 3;
/** A linear pattern takes a millisecond, a quadratic one hundreds. */
const SUSPICIOUS_MS = 30;
const HOPELESS_MS = 1_000;
/** Twice the text takes twice the time, or four times. */
const LINEAR_GROWTH = 3;

/** A text on which a pattern's time grows faster than its length, or is out of all proportion; undefined if none is. */
export function slowTextOf(pattern: Pick<Pattern, 'source' | 'flags'>): string | undefined {
  const everywhere = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  const slow = hostileTexts(pattern).find((make) => {
    if (SHORT_LENGTHS.some((length) => time(everywhere, make(length)) > SUSPICIOUS_MS)) return true;
    if (time(everywhere, make(LENGTH)) < SUSPICIOUS_MS) return false;
    const whole = fastest(everywhere, make(LENGTH));
    if (whole < SUSPICIOUS_MS) return false;
    return whole > HOPELESS_MS || whole > LINEAR_GROWTH * fastest(everywhere, make(LENGTH / 2));
  });
  return slow?.(20);
}

function fastest(pattern: RegExp, text: string): number {
  return Math.min(...Array.from({ length: RUNS }, () => time(pattern, text)));
}

/** Processor time in milliseconds: other processes do not count. */
function time(pattern: RegExp, text: string): number {
  const start = process.cpuUsage();
  text.replace(pattern, '');
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
