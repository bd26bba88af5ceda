import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createHttpClient } from '../../search/http-client.js';
import type { BenchmarkOptions, Comparison, Question } from '../question.js';
import { medians } from '../support/medians.js';
import { withEmbeddedServer } from '../support/with-embedded-server.js';
import { type BareChunker, startBareChunker } from './bare-chunker.js';
import { makeSamples, type Sample, smallDocument } from './samples.js';
import { ingestFile, ingestTexts } from './upload.js';

const RIVAL = 'the parser and splitter called bare';
const CALLERS = 8;

/** How much of the parser's speed is left from the upload until the document is ready and found. */
export const ingestion: Question = {
  name: 'ingestion',
  title: 'Ingestion, from the upload until it is found',
  measure: (options) =>
    withEmbeddedServer(async ({ address }) => {
      const bare = startBareChunker();
      try {
        return [...(await compareFiles(address, bare, options)), await compareSmall(address, bare, options)];
      } finally {
        bare.stop();
      }
    }),
};

async function compareFiles(
  address: string,
  bare: BareChunker,
  { rounds, log }: BenchmarkOptions,
): Promise<Comparison[]> {
  const { samples, remove } = await makeSamples();
  try {
    const comparisons = [];
    for (const sample of samples) {
      log(sample.name);
      comparisons.push(await compareFile(address, bare, sample, rounds));
    }
    return comparisons;
  } finally {
    await remove();
  }
}

async function compareFile(
  address: string,
  bare: BareChunker,
  sample: Sample,
  rounds: number,
): Promise<Comparison> {
  const perSecond = { ours: [] as number[], theirs: [] as number[] };
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    const found = { ours: { milliseconds: 0, chunks: 0 }, theirs: { milliseconds: 0, chunks: 0 } };
    for (const who of round % 2 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
      found[who] = who === 'ours' ? await ingestFile(address, sample) : await bare.chunk([sample.path]);
    }
    if (found.ours.chunks !== found.theirs.chunks) {
      throw new Error(`${sample.name}: ${found.ours.chunks} chunks, and ${found.theirs.chunks} bare.`);
    }
    if (round < 0) continue;
    for (const who of ['ours', 'theirs'] as const)
      perSecond[who].push(sample.size / 1_000 / found[who].milliseconds);
  }
  return toComparison(`${sample.name}, ${(sample.size / 1_000).toFixed(0)} kB`, 'MB a second', perSecond, {
    target: { atLeast: 0.6 },
  });
}

async function compareSmall(
  address: string,
  bare: BareChunker,
  { requests, rounds, log }: BenchmarkOptions,
): Promise<Comparison> {
  log('small documents');
  const http = createHttpClient(address);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-bench-'));
  try {
    const perSecond = { ours: [] as number[], theirs: [] as number[] };
    for (let round = -1; round < rounds; round++) {
      const texts = Array.from({ length: requests }, smallDocument);
      const files = texts.map((_, n) => path.join(folder, `${n}.txt`));
      await Promise.all(files.map((file, n) => writeFile(file, texts[n] ?? '')));
      const ours = await ingestTexts(http, address, { texts, callers: CALLERS });
      const theirs = await bare.chunk(files);
      if (round < 0) continue;
      perSecond.ours.push((1_000 * requests) / ours.milliseconds);
      perSecond.theirs.push((1_000 * requests) / theirs.milliseconds);
    }
    return toComparison('small documents of 600 characters', 'documents a second', perSecond, {
      target: { atLeast: 100, of: 'ours' },
    });
  } finally {
    http.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function toComparison(
  what: string,
  unit: string,
  { ours, theirs }: { ours: number[]; theirs: number[] },
  { target }: Pick<Comparison, 'target'>,
): Comparison {
  return {
    what,
    unit,
    rival: RIVAL,
    ...medians(ours, theirs),
    ...(target && { target }),
  };
}
