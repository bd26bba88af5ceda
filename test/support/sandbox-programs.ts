import { fileURLToPath } from 'node:url';

/* Tests run from the source, but these processes are started without a compiler: `npm test` builds first. */

const built = (path: string) => fileURLToPath(new URL(`../../dist/src/ingestion/${path}`, import.meta.url));

export const sandboxProgram = built('chunking/child.js');
export const sitemapProgram = built('sitemap/child.js');
export const sourceTextProgram = built('source-text/child.js');
