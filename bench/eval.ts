/**
 * Loads retrieval test collections into a server of its own, runs their queries, and tells how well chunk search
 * finds what was judged relevant.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CollectionError, languageOf, readCollection } from './eval/collection.js';
import { loadDocuments } from './eval/load.js';
import { evaluate } from './eval/measures.js';
import { runQueries } from './eval/queries.js';
import { type Result, table } from './eval/report.js';
import { type Engine, startEvalServer } from './eval/server.js';
import { quantile } from './support/quantile.js';

const USAGE = `Usage: npm run eval -- --engine postgres|meilisearch --collection NAME [--collection NAME ...]

Starts a server of its own with an empty embedded database, loads each collection through the REST API, waits until
its documents are processed and can be found, searches for every judged query, and prints recall@5, recall@10,
nDCG@10, MRR@10 by the conventions of trec_eval, and how long searches took, one at a time.

  --engine NAME      the search engine; meilisearch needs MEILI_URL and what else the server reads about it, and gets
                     an index of its own there
  --collection NAME  a folder with corpus.jsonl, queries.jsonl and qrels.tsv as in BEIR, or the name of one in
                     EVAL_COLLECTIONS (default ../shared/retrieval)
  --language NAME    english or chinese, for all queries; default: what about.json says, else the queries' script
  --runs FOLDER      also write what was found to FOLDER/NAME.json: each query's documents, best first
  --json             print JSON rather than a table

Status 0 when all was measured, 1 after a failure, 2 when called wrongly. Progress goes to standard error.`;

interface Options {
  engine: Engine;
  collections: string[];
  language: 'english' | 'chinese' | undefined;
  runs: string | undefined;
  json: boolean;
}

const options = readOptions();
try {
  await measure(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CollectionError ? 2 : 1;
}

async function measure({ engine, collections: names, language, runs, json }: Options): Promise<void> {
  const collections = await Promise.all(names.map(readCollection));
  const server = await startEvalServer(engine);
  const results: Result[] = [];
  try {
    for (const collection of collections) {
      const loaded = await loadDocuments(server.address, collection, tell);
      const asked = language ?? languageOf(collection);
      const { run, milliseconds } = await runQueries(server.address, collection, loaded, asked, tell);
      results.push({
        collection: collection.name,
        engine,
        language: asked,
        documents: loaded.names.size,
        queries: collection.judgements.size,
        measures: evaluate(collection.judgements, run),
        milliseconds: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
      });
      if (runs) {
        await mkdir(runs, { recursive: true });
        await writeFile(path.join(runs, `${collection.name}.json`), JSON.stringify(Object.fromEntries(run)));
      }
    }
  } finally {
    await server.stop();
  }
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : table(results));
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        engine: { type: 'string' },
        collection: { type: 'string', multiple: true, default: [] },
        language: { type: 'string' },
        runs: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      process.exit(0);
    }
    const { engine, collection: collections, language, runs, json } = values;
    if (engine !== 'postgres' && engine !== 'meilisearch') {
      throw new Error('Say which search engine: --engine postgres or --engine meilisearch.');
    }
    if (collections.length === 0) throw new Error('Name a collection with --collection.');
    if (language !== undefined && language !== 'english' && language !== 'chinese') {
      throw new Error('The language is english or chinese.');
    }
    if (engine === 'meilisearch' && !process.env.MEILI_URL) {
      throw new Error('Set MEILI_URL to the address of a Meilisearch server that may hold the test index.');
    }
    return { engine, collections, language, runs, json };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}
