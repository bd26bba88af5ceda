import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTruth } from './find-truth.js';
import { FORMATS } from './formats.js';
import { createLineWorker, type LineWorker, type Outcome } from './line-worker.js';
import { createOutputs } from './outputs.js';
import { type FileResult, OWN } from './report.js';
import { FAILED, scoreWords } from './score.js';
import { countWords } from './words.js';

export interface Comparison {
  folder: string;
  /** Endings of file names. */
  formats: string[];
  /** The build that parses; a folder like `dist`. */
  build: string;
  /** Keeps what parsers gave. */
  outputs: string | undefined;
  python: string;
  onFile: (file: string, index: number, count: number) => void;
}

const TIMEOUT_MS = 120_000;
const CHILD = fileURLToPath(new URL('./parse-child.js', import.meta.url));
/** Python runs from its source, which the build does not have. */
const PEERS = fileURLToPath(new URL('../../bench/peers.py', import.meta.url));

export async function compareParsers(
  comparison: Comparison,
): Promise<{ results: FileResult[]; missing: string[] }> {
  const own = createLineWorker(process.execPath, [CHILD, path.resolve(comparison.build)], TIMEOUT_MS);
  const others = createLineWorker(comparison.python, [PEERS], TIMEOUT_MS);
  const outputs = createOutputs(comparison.outputs);
  const runPeer = (peer: string, file: string) =>
    outputs.reuse(peer, file, () => others.ask({ peer, path: file }));

  const measure = async (file: string, installed: ReadonlySet<string>): Promise<FileResult | undefined> => {
    const name = formatOf(file);
    const format = FORMATS[name];
    const truth = format && (await findTruth(file, withoutMissing(format, installed), runPeer));
    if (!truth) return undefined;
    const result: FileResult = { file, format: name, parsers: new Map() };
    const add = (parser: string, outcome: Outcome) => {
      if ('error' in outcome) result.parsers.set(parser, { score: FAILED, seconds: 0, error: outcome.error });
      else
        result.parsers.set(parser, {
          score: scoreWords(countWords(outcome.text), truth),
          seconds: outcome.seconds,
        });
    };
    const outcome = await own.ask({ path: file });
    await outputs.write(OWN, file, outcome);
    add(OWN, outcome);
    for (const peer of format.peers) if (installed.has(peer)) add(peer, await runPeer(peer, file));
    return result;
  };

  try {
    const installed = await installedPeers(others);
    const files = await filesOf(comparison.folder, comparison.formats);
    const results: FileResult[] = [];
    for (const [index, file] of files.entries()) {
      comparison.onFile(file, index, files.length);
      const result = await measure(file, installed);
      if (result) results.push(result);
    }
    return { results, missing: missingPeers(comparison.formats, installed) };
  } finally {
    own.stop();
    others.stop();
  }
}

async function installedPeers(others: LineWorker): Promise<ReadonlySet<string>> {
  const outcome = await others.ask({ peer: 'installed' });
  return new Set('text' in outcome ? outcome.text.split(' ') : []);
}

function missingPeers(formats: string[], installed: ReadonlySet<string>): string[] {
  const wanted = formats.flatMap((name) => {
    const { peers = [], truth = [] } = FORMATS[name] ?? {};
    return [...peers, ...(typeof truth === 'function' ? [] : truth)];
  });
  return [...new Set(wanted)].filter((peer) => !installed.has(peer));
}

function withoutMissing(format: (typeof FORMATS)[string], installed: ReadonlySet<string>) {
  const { truth } = format;
  return typeof truth === 'function'
    ? format
    : { ...format, truth: truth.filter((peer) => installed.has(peer)) };
}

async function filesOf(folder: string, formats: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => formats.includes(formatOf(name)))
    .sort()
    .map((name) => path.resolve(folder, name));
}

function formatOf(file: string): string {
  return path.extname(file).slice(1).toLowerCase();
}
