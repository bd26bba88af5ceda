import { fileURLToPath } from 'node:url';

/** Tests run from the source, but the parser processes are started without a compiler: `npm test` builds first. */
export const sandboxProgram = fileURLToPath(
  new URL('../../dist/src/ingestion/sandbox/child.js', import.meta.url),
);
