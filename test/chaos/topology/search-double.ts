/** The test double of the search server as a program: `search-double.js PORT FOLDER`. It keeps its data over a kill. */
import path from 'node:path';
import { openJournal } from '../../support/meilisearch/journal.js';
import { startMeilisearch } from '../../support/meilisearch/server.js';

const [port, folder = '.'] = process.argv.slice(2);
const { MEILI_MASTER_KEY = '' } = process.env;
await startMeilisearch({
  port: Number(port),
  masterKey: MEILI_MASTER_KEY,
  journal: openJournal(path.join(folder, 'writes.ndjson')),
});
