import { readFile } from 'node:fs/promises';
import type { Format } from './formats.js';
import type { Outcome } from './line-worker.js';
import type { Truth } from './score.js';
import { allWords, commonWords, countWords, totalOf } from './words.js';

/** A share of few words says little. */
const MIN_WORDS = 20;

/** What the file says; undefined where that cannot be told, or is hardly anything. */
export async function findTruth(
  file: string,
  { truth }: Format,
  runPeer: (peer: string, file: string) => Promise<Outcome>,
): Promise<Truth | undefined> {
  const found =
    (await writtenTruth(file)) ??
    (typeof truth === 'function'
      ? await truth(file).catch(() => undefined)
      : await agreedTruth(file, truth, runPeer));
  return found && totalOf(found.required) >= MIN_WORDS ? found : undefined;
}

async function writtenTruth(file: string): Promise<Truth | undefined> {
  const text = await readFile(`${file}.truth.txt`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { required: countWords(text), allowed: new Map() };
}

/** Required is what all of the programs find, allowed what any of them does. */
async function agreedTruth(
  file: string,
  programs: readonly string[],
  runPeer: (peer: string, file: string) => Promise<Outcome>,
): Promise<Truth | undefined> {
  const found = [];
  for (const program of programs) {
    const outcome = await runPeer(program, file);
    if ('error' in outcome) return undefined;
    found.push(countWords(outcome.text));
  }
  if (found.length === 0) return undefined;
  const required = found.reduce(commonWords);
  const all = found.reduce(allWords);
  const allowed = new Map([...all].map(([word, count]) => [word, count - (required.get(word) ?? 0)]));
  return { required, allowed };
}
