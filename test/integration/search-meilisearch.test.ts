import { afterAll, beforeAll } from 'vitest';
import { useApp } from '../support/app.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';
import { testSearch } from './support/search-suite.js';

const server = await openSearchServer();
const app = useApp({ meilisearch: server.config });
beforeAll(() => waitFor(async () => (await app.get('/readyz')).body.search === 'ok'));
afterAll(() => server.close());

testSearch(app);
