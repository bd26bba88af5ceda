import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Collection, languageOf, readCollection } from '../eval/collection.js';
import { loadDocuments, waitUntilEmbedded } from '../eval/load.js';
import { evaluate } from '../eval/measures.js';
import { quantile } from '../eval/quantile.js';
import { runQueries } from '../eval/queries.js';
import { EVAL_OPTIONS, type EvalOptions, readEvalOptions } from '../eval/read-options.js';
import { type Result, table } from '../eval/report.js';
import { startEvalServer } from '../eval/start-server.js';
import { runCommand } from '../run-command.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Loads test collections into a server of its own, runs their queries, and measures how well chunk search finds what
was judged relevant.

Usage: lectern eval --engine postgres|meilisearch --collection NAME [--collection NAME ...] [--mode NAME]

Starts a server of its own with an empty embedded database, loads each collection through the REST API, waits until
its documents are processed and can be found, searches for every judged query, and prints recall@5, recall@10,
nDCG@10, MRR@10 by the conventions of trec_eval, and how long searches took, one at a time.

  --engine NAME      the search engine; meilisearch needs MEILI_URL and what else the server reads about it, and gets
                     an index of its own there
  --collection NAME  a folder with corpus.jsonl, queries.jsonl and qrels.tsv as in BEIR, or the name of one in
                     EVAL_COLLECTIONS (default ../shared/retrieval)
  --language NAME    english or chinese, for all queries; default: what about.json says, else the queries' script
  --mode NAME        lexical (by words, the default) or hybrid (by words and meaning), which needs EMBEDDING_MODEL and what
                     else the server reads about it
  --runs FOLDER      also write what was found to FOLDER/NAME.json: each query's documents, best first
  --json             print JSON rather than a table

Ends with 0 when all was measured, 1 after a failure, 2 after a usage error. Progress is written to standard error.`,
    async ({ values }) => measure(readEvalOptions(values)),
    { options: EVAL_OPTIONS },
  );

async function measure(options: EvalOptions): Promise<void> {
  const collections = await Promise.all(options.collections.map(readCollection));
  const server = await startEvalServer(options.engine, options.mode);
  const results: Result[] = [];
  try {
    for (const collection of collections) {
      results.push(await measureOne(server.address, collection, options));
    }
  } finally {
    await server.stop();
  }
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : table(results));
}

async function measureOne(
  address: string,
  collection: Collection,
  { engine, language = languageOf(collection), mode, runs }: EvalOptions,
): Promise<Result> {
  const loaded = await loadDocuments(address, collection, log);
  if (mode === 'hybrid') await waitUntilEmbedded(address, collection.name, log);
  const { run, milliseconds } = await runQueries(address, collection, loaded, language, log);
  if (runs) {
    await mkdir(runs, { recursive: true });
    await writeFile(path.join(runs, `${collection.name}.json`), JSON.stringify(Object.fromEntries(run)));
  }
  return {
    collection: collection.name,
    engine,
    language,
    documents: loaded.names.size,
    queries: collection.judgements.size,
    measures: evaluate(collection.judgements, run),
    milliseconds: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
  };
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
