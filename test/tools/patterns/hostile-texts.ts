import type { Pattern } from './find-patterns.js';

/** What a pattern consists of: classes, escapes, the signs of groups and repetitions, and characters. */
const PARTS =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]*\}|.)|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|./gisu;
const SIGN = /^(?:\(.*|[)^$*+?]|\{.+\}|\\[bB\d])$/s;
const ALTERNATIVE = '|';
const SAMPLES = [
  ...'a0Z_ \n\t-./"\'<>=:@#*`\\()[]{}|~+&%?!,;^$',
  ...'éΩ中國アーก한，。；“”¿€ـ\u0301\u00a0\u2028\u0085\u00ad\ufdd0\uff71\u3000\ufffd',
];
const MAX_TOGETHER = 8;
/** What ends a match that would otherwise succeed. */
const SUFFIXES = ['', '\0', '\n\0'];

/** Makes texts of about a given length out of a pattern's own alphabet, on which it may fail in as many ways as possible. */
export function hostileTexts({
  source,
  flags,
}: Pick<Pattern, 'source' | 'flags'>): ((length: number) => string)[] {
  const makers = new Map<string, (length: number) => string>();
  for (const samples of alternatives(source, flags.replace(/[gy]/g, ''))) {
    samples.forEach((_, index) => {
      const before = samples.slice(0, index).map(([first = '']) => first);
      for (const pump of pumpsAt(samples, index)) {
        for (const prefix of ['', before.join('')]) {
          for (const suffix of SUFFIXES) {
            const make = (length: number) => prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
            makers.set(JSON.stringify([prefix, pump, suffix]), make);
          }
        }
      }
    });
  }
  return [...makers.values()];
}

/** What is repeated: a part, some that follow each other, or all from here on. */
function pumpsAt(samples: string[][], index: number): string[] {
  const from = samples.slice(index).map(([first = '']) => first);
  const several = from.slice(0, MAX_TOGETHER).map((_, count) => from.slice(0, count + 1).join(''));
  return [...(samples[index] ?? []), ...several, from.join('')].filter(Boolean);
}

/** For each alternative, of each part some characters that it stands for. */
function alternatives(source: string, flags: string): string[][][] {
  const lists: string[][][] = [[]];
  for (const [part] of source.matchAll(PARTS)) {
    if (part === ALTERNATIVE) lists.push([]);
    else if (!SIGN.test(part)) lists.at(-1)?.push(samplesOf(part, flags));
  }
  return lists;
}

function samplesOf(part: string, flags: string): string[] {
  if (part !== '.' && [...part].length === 1) return [part];
  const whole = new RegExp(`^${part}$`, flags);
  return [...SAMPLES, ...part].filter((sample) => whole.test(sample)).slice(0, 2);
}
