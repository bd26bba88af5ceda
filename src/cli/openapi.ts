import { readFile, writeFile } from 'node:fs/promises';
import { readConfig } from '../config/config.js';
import { createOpenApiDocument, restRouter } from '../rest-facade/index.js';

const FILE = 'openapi.json';
const HELP = `Writes the OpenAPI document of the REST API to ${FILE}.

Usage: npm run openapi            writes it
       npm run openapi -- --check fails when the file is stale
`;

const [option] = process.argv.slice(2);
// With the default configuration, whatever the environment says.
const { maxPageSize } = readConfig({});
const document = `${JSON.stringify(createOpenApiDocument(restRouter, { maxPageSize }), null, 2)}\n`;

if (option === undefined) {
  await writeFile(FILE, document);
} else if (option === '--check') {
  if ((await readFile(FILE, 'utf8').catch(() => '')) !== document) {
    process.stderr.write(`${FILE} is stale: run "npm run openapi" and commit it.\n`);
    process.exit(1);
  }
} else {
  process.stdout.write(HELP);
  process.exit(option === '--help' ? 0 : 2);
}
