import { createSearch } from '../../services/search/search.js';
import { UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { describeExplanation, describeHits } from './describe-search.js';
import { readSearch, SEARCH_OPTIONS } from './read-search.js';
import { runSearchCommand } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchCommand(
    args,
    `Searches as the API does, and explains why a chunk is or is not found.

Usage: lectern search query QUESTION --tenant T --unit U --dataset D [--dataset …] [--language english|chinese]
         [--mode lexical|hybrid|semantic] [--top-k N] [--filter JSON] [--context N]
         [--explain] [--chunk ID] [--json]

${formatFields([
  ['--tenant', 'the tenant whose documents are searched'],
  ['--unit', 'its unit; may be given several times'],
  ['--dataset', 'where to search; may be given several times'],
  ['--language', 'language of the stop words; default english'],
  ['--mode', 'by words, by words and meaning, or by meaning alone; default SEARCH_MODE'],
  ['--top-k', 'maximum number of hits; default 5'],
  ['--filter', 'what hits have to pass, as chunks.search takes it'],
  ['--context', 'shows so many chunks on each side of a hit'],
  ['--explain', 'shows the terms, how many chunks contain each, and the candidates of the index'],
  ['--chunk', 'explains why that chunk is or is not found'],
  JSON_OPTION,
])}
Exits with 0, even if nothing is found, and with 1 if the search server does not answer.`,
    { allowPositionals: true, options: SEARCH_OPTIONS },
    ({ values, positionals }) => {
      const search = readSearch(values, positionals);
      return async ({ config: { maxPageSize }, db, index, operations, print }) => {
        const { scope, datasetIds, language, mode, filter, query: text, topK: limit } = search;
        if (limit > maxPageSize)
          throw new UsageError(`--top-k must be at most ${maxPageSize} (MAX_PAGE_SIZE).`);
        const {
          engine,
          mode: answered,
          hits,
          notes,
        } = await createSearch({ db, index, maxPageSize }).search(search);
        if (!values.explain && values.chunk === undefined) {
          print({ engine, mode: answered, hits, notes }, describeHits(hits, notes));
          return 0;
        }
        const explanation = await operations.explain(
          { ...scope, datasetIds, language, mode, filter, text, limit },
          { chunkId: values.chunk },
        );
        print(
          { engine, mode: answered, hits, notes, explanation },
          `${describeHits(hits, notes)}\n${describeExplanation(explanation)}`,
        );
        return 0;
      };
    },
  );
