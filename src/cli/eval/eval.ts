import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, PRIVATE } from '../../../db/folders.js';
import type { SearchMode } from '../../search/chunk-index.js';
import { evaluate } from '../../services/evaluations/measures.js';
import { runCommand } from '../run-command.js';
import { print, printError } from '../shared/print.js';
import { type Collection, languageOf, readCollection } from './collection.js';
import { type Loaded, loadDocuments, waitUntilEmbedded } from './load.js';
import { mistype } from './mistype.js';
import { countByTenth } from './precision.js';
import { quantile } from './quantile.js';
import { runQueries } from './queries.js';
import { EVAL_OPTIONS, type EvalOptions, readEvalOptions } from './read-options.js';
import { precisionTable, type Result, table } from './report.js';
import { prepareEvalServer } from './start-server.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Loads test collections into a server of its own, runs their queries, and measures how well chunk search finds what
was judged relevant.

Usage: lectern eval --engine postgres|meilisearch --collection NAME [--collection NAME ...] [--mode NAME ...]

Starts a server of its own with an empty embedded database, loads each collection through the REST API, waits until
its documents are processed and can be found, searches for every judged query, and prints recall@5, recall@10,
nDCG@10, MRR@10 by the conventions of trec_eval, and how long searches took, one at a time.

  --engine NAME      the search engine; meilisearch needs MEILI_URL and the other variables of the server for it, and
                     gets its own index there
  --collection NAME  a folder with corpus.jsonl, queries.jsonl and qrels.tsv as in BEIR, or the name of one in
                     EVAL_COLLECTIONS (default ../shared/retrieval)
  --language NAME    english or chinese, for all queries; default: what about.json says, else the queries' script
  --mode NAME        lexical (by words, the default), hybrid (by words and meaning) or semantic (by meaning), which need
                     EMBEDDING_MODEL and what else the server reads about it; several are compared over the same documents
  --typos NUMBER     type an error in so many words of each query, the same ones each time (default 0); several are
                     compared over the same documents
  --typed PERCENT    ask for suggestions with the first so many percent of each query's characters (default 100: search
                     with all of it), by words alone; several are compared over the same documents
  --runs FOLDER      also write what was found to FOLDER/NAME-MODE-typos-NUMBER-typed-PERCENT.json, without what is the
                     default: each query's documents, best first
  --precision        also print how many of the first ten documents are relevant, for each tenth of their scores
  --json             prints JSON instead of a table

Exits with 0 if everything was measured, 1 after a failure, 2 after a usage error. Progress goes to standard error.`,
    async ({ values }) => measure(readEvalOptions(values)),
    { options: EVAL_OPTIONS },
  );

async function measure(options: EvalOptions): Promise<void> {
  const { engine, modes } = options;
  const collections = await Promise.all(options.collections.map(readCollection));
  const server = await prepareEvalServer(engine, modes);
  const results: Result[] = [];
  try {
    const [first = 'lexical', ...others] = modes;
    let address = await server.start(first);
    const loaded = new Map<Collection, Loaded>();
    for (const collection of collections) {
      loaded.set(collection, await loadDocuments(address, collection, log));
      if (modes.some((mode) => mode !== 'lexical')) await waitUntilEmbedded(address, collection.name, log);
    }
    for (const mode of [first, ...others]) {
      if (mode !== first) address = await server.start(mode);
      for (const [collection, documents] of loaded) {
        for (const typos of options.typos) {
          for (const typed of options.typed)
            results.push(
              await measureOne(address, collection, { ...options, mode, typos, typed, documents }),
            );
        }
      }
    }
  } finally {
    await server.stop();
  }
  if (options.json) print(`${JSON.stringify(results, null, 2)}\n`);
  else print(options.precision ? `${table(results)}\n${precisionTable(results)}` : table(results));
}

async function measureOne(
  address: string,
  collection: Collection,
  {
    engine,
    language = languageOf(collection),
    mode,
    typos,
    typed,
    documents,
    runs,
  }: Omit<EvalOptions, 'typos' | 'typed'> & {
    mode: SearchMode;
    typos: number;
    typed: number;
    documents: Loaded;
  },
): Promise<Result> {
  const queries = collection.queries.map(({ id, text }) => ({ id, text: mistype(text, typos) }));
  const { run: scored, milliseconds } = await runQueries(
    address,
    { ...collection, queries },
    documents,
    { language, typed },
    log,
  );
  const run = new Map([...scored].map(([query, found]) => [query, found.map(({ document }) => document)]));
  if (runs) {
    await makeFolder(runs, PRIVATE);
    const name = [
      collection.name,
      mode !== 'lexical' && mode,
      typos > 0 && `typos-${typos}`,
      typed < 100 && `typed-${typed}`,
    ]
      .filter(Boolean)
      .join('-');
    await writeFile(path.join(runs, `${name}.json`), JSON.stringify(Object.fromEntries(run)));
  }
  return {
    collection: collection.name,
    engine,
    mode,
    typos,
    typed,
    language,
    documents: documents.names.size,
    queries: collection.judgements.size,
    measures: evaluate(collection.judgements, run),
    precision: countByTenth(collection.judgements, scored),
    milliseconds: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
  };
}

function log(line: string): void {
  printError(`${line}\n`);
}
