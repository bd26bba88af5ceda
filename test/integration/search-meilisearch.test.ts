import { afterAll } from 'vitest';
import { useApp } from '../support/app.js';
import { openSearchServer } from '../support/search-server.js';
import { testSearch } from './support/search-suite.js';

const server = await openSearchServer();
afterAll(() => server.close());

testSearch(useApp({ meilisearch: server.config }));
