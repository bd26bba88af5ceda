import { fileURLToPath } from 'node:url';

/* Tests run from the source, but these processes are started without a compiler: `npm test` builds first. */

const built = (name: string) => fileURLToPath(new URL(`../../dist/program/${name}`, import.meta.url));

export const sandboxProgram = built('chunk-file.js');
export const sitemapProgram = built('read-sitemap.js');
export const sourceTextProgram = built('read-source-text.js');
