import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const IMPORTS = 'lint/style/noRestrictedImports';
const ENVIRONMENT = 'lint/style/noProcessEnv';
const WORDS = 'lint/style/noJsxLiterals';

interface Planted {
  file: string;
  source: string;
}
const importing = (file: string, imported: string): Planted => ({
  file,
  source: `import { planted } from '${imported}';\n\nplanted();\n`,
});

/** Which rules of the project planted files break: each is linted in its folder, under a name of its own, all in one run. */
function lint(planted: Planted[]): string[][] {
  const root = mkdtempSync(path.join(os.tmpdir(), 'lectern-rules-'));
  try {
    copyFileSync('biome.json', path.join(root, 'biome.json'));
    const names = planted.map(({ file }, n) => file.replace('planted', `planted-${n}`));
    planted.forEach(({ source }, n) => {
      const file = path.join(root, names[n] as string);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, source);
    });
    const biome = path.resolve('node_modules/.bin/biome');
    const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
    const { stdout } = spawnSync(biome, args, { cwd: root, encoding: 'utf8' });
    const { summary, diagnostics } = JSON.parse(stdout) as Report;
    // And the configuration.
    expect(summary.unchanged).toBe(planted.length + 1);
    return names.map((name) =>
      diagnostics.filter(({ location }) => location.path === name).map(({ category }) => category),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Report {
  summary: { unchanged: number };
  diagnostics: { category: string; location: { path: string } }[];
}

const forbidden: [file: string, imported: string][] = [
  ['db/planted.ts', '../src/errors/errors.js'],
  ['packages/file-to-markdown/src/planted.ts', '../../../src/errors/errors.js'],
  ['packages/embedded-postgres/src/planted.ts', '../../../db/client.js'],
  ['packages/embedded-postgres/src/planted.ts', '@lectern/file-to-markdown'],
  ['packages/file-to-markdown/src/formats/pdf/planted.ts', '../../../../../db/enums.js'],
  ['src/rest-facade/planted.ts', '../services/documents.js'],
  ['src/rest-facade/planted.ts', '../../db/schema.js'],
  ['src/rest-facade/planted.ts', '../search/chunk-index.js'],
  ['src/integrations/planted.ts', '../services/documents.js'],
  ['src/integrations/dify/planted.ts', '../../http/app.js'],
  ['src/integrations/openai/planted.ts', '../../../db/schema.js'],
  ['src/routers/planted.ts', '../integrations/caller.js'],
  ['src/mcp/planted.ts', '../services/documents.js'],
  ['src/mcp/tools/planted.ts', '../../rest-facade/index.js'],
  ['src/mcp/planted.ts', '../../db/schema.js'],
  ['src/routers/planted.ts', '../../db/schema.js'],
  ['src/routers/planted.ts', '../rest-facade/index.js'],
  ['src/services/area/planted.ts', '../../routers/index.js'],
  ['src/services/area/planted.ts', '../../search/postgres/engine.js'],
  ['src/services/area/planted.ts', '../../search/operations/create-operations.js'],
  ['src/services/area/planted.ts', '../../search/meilisearch/connect.js'],
  ['src/services/area/planted.ts', '../../ingestion/worker.js'],
  ['src/services/area/planted.ts', '../../storage/local-disk.js'],
  ['src/services/area/planted.ts', '../../../db/client.js'],
  ['src/services/area/planted.ts', '../../../db/embedded.js'],
  ['src/services/area/planted.ts', '@lectern/embedded-postgres'],
  ['src/services/area/planted.ts', '@trpc/server'],
  ['src/services/area/planted.ts', 'express'],
  ['src/services/area/planted.ts', '../../config/config.js'],
  ['src/services/area/planted.ts', '../../config/environment.js'],
  ['src/services/area/planted.ts', '../../auth/authenticate.js'],
  ['src/auth/planted.ts', '../services/documents.js'],
  ['src/auth/planted.ts', '../../db/client.js'],
  ['src/auth/planted.ts', '../http/middleware/auth.js'],
  ['src/auth/planted.ts', 'express'],
  ['src/ingestion/planted.ts', '../services/documents.js'],
  ['src/ingestion/planted.ts', '../search/meilisearch/sync.js'],
  ['src/ingestion/planted.ts', '../search/chunk-index.js'],
  ['src/search/planted.ts', '../routers/index.js'],
  ['src/search/meilisearch/planted.ts', '../../outbound-http/fetch-url.js'],
  ['src/storage/planted.ts', '../ingestion/ingestion-error.js'],
  ['src/storage/planted.ts', '../search/indexing/outbox.js'],
  ['src/storage/planted.ts', '../../db/client.js'],
  ['src/services/area/planted.ts', '../../webhook-delivery/signature.js'],
  ['src/webhook-delivery/planted.ts', '../services/webhooks/webhooks.js'],
  ['src/webhook-delivery/planted.ts', '../../db/client.js'],
  ['src/webhook-delivery/planted.ts', '../ingestion/process-document.js'],
  ['src/webhook-delivery/planted.ts', '../config/config.js'],
  ['src/http/planted.ts', '../services/documents.js'],
  ['src/client/planted.ts', '../errors/errors.js'],
  ['src/backup/planted.ts', '../services/documents.js'],
  ['src/backup/planted.ts', '../storage/local-disk.js'],
  ['src/backup/planted.ts', '../config/config.js'],
  ['src/client/planted.ts', 'node:crypto'],
  ['src/services/area/planted.ts', '../../outbound-http/http-client.js'],
  ['src/outbound-http/planted.ts', '../ingestion/ingestion-error.js'],
  ['src/outbound-http/planted.ts', '../config/config.js'],
  ['src/outbound-http/planted.ts', '../../db/schema.js'],
  ['src/model-endpoint/planted.ts', '../search/chunk-index.js'],
  ['src/model-endpoint/planted.ts', '../outbound-http/http-client.js'],
  ['src/tracing/planted.ts', '../errors/errors.js'],
  ['src/tracing/opentelemetry/planted.ts', '../../logging/log.js'],
  ['web/src/api/planted.ts', '../../../src/services/documents/documents.schema.js'],
  ['web/src/api/planted.ts', '../../../db/enums.js'],
  ['web/src/app/planted.ts', 'node:path'],
  ['web/src/ui/planted.ts', '../api/trpc'],
  ['web/src/screens/search/planted.ts', '../documents/document-row'],
  ['web/src/screens/document/chunks/planted.ts', '../../documents/document-row'],
  ['web/src/screens/keys/planted.ts', '../webhooks/use-webhooks'],
  ['web/src/screens/search/planted.ts', '../../app/shell'],
];

const allowed: [file: string, imported: string][] = [
  ['src/rest-facade/planted.ts', '../routers/index.js'],
  ['src/integrations/dify/planted.ts', '../../routers/index.js'],
  ['src/integrations/openai/planted.ts', '../../rest-facade/json-body.js'],
  ['src/routers/planted.ts', '../services/documents.js'],
  ['src/services/area/planted.ts', '../../../db/schema.js'],
  ['src/services/area/planted.ts', '../../search/chunk-index.js'],
  ['src/services/area/planted.ts', '../../search/operations/search-operations.js'],
  ['src/services/area/planted.ts', '../../search/indexing/index-writer.js'],
  ['src/services/area/planted.ts', '../../ingestion/jobs/job-queue.js'],
  ['src/services/area/planted.ts', '../../storage/file-storage.js'],
  ['src/services/area/planted.ts', '../../auth/permissions.js'],
  ['src/services/area/planted.ts', '../../webhook-delivery/events.js'],
  ['src/services/area/planted.ts', '../search/search.js'],
  ['src/rate-limit/planted.ts', '../auth/permissions.js'],
  ['src/auth/planted.ts', '../../db/schema.js'],
  ['src/ingestion/planted.ts', '../storage/file-storage.js'],
  ['src/ingestion/planted.ts', '../webhook-delivery/events.js'],
  ['src/webhook-delivery/planted.ts', '../../db/schema.js'],
  ['src/webhook-delivery/planted.ts', '../outbound-http/http-client.js'],
  ['src/ingestion/planted.ts', '../outbound-http/fetch-url.js'],
  ['src/ingestion/planted.ts', '../search/indexing/index-writer.js'],
  ['src/ingestion/planted.ts', '../model-endpoint/post-json.js'],
  ['src/search/embedding/planted.ts', '../../model-endpoint/post-json.js'],
  ['src/search/meilisearch/planted.ts', '../../errors/errors.js'],
  ['src/search/planted.ts', './meilisearch/connect.js'],
  ['src/outbound-http/planted.ts', '../errors/errors.js'],
  ['src/outbound-http/planted.ts', '../async/timeouts.js'],
  ['src/backup/planted.ts', '../../db/migrate.js'],
  ['src/backup/planted.ts', '../storage/file-storage.js'],
  ['web/src/api/planted.ts', 'lectern/routers'],
  ['web/src/app/planted.ts', '../screens/search/search-params'],
  ['web/src/ui/planted.ts', '../language/language'],
  ['web/src/screens/search/planted.ts', '../../api/trpc'],
  ['web/src/screens/search/planted.ts', '../../common/documents/document-name'],
  ['web/src/screens/documents/add/planted.ts', '../../../ui/button'],
];

const others: [Planted, string][] = [
  [
    { file: 'src/services/area/planted.ts', source: 'export const planted = process.env.PLANTED;\n' },
    ENVIRONMENT,
  ],
  [{ file: 'web/src/ui/planted.tsx', source: 'export const Planted = () => <p>Some words</p>;\n' }, WORDS],
];

const found = lint([
  ...forbidden.map(([file, imported]) => importing(file, imported)),
  ...allowed.map(([file, imported]) => importing(file, imported)),
  ...others.map(([planted]) => planted),
]);

test.each(forbidden.map((one, n) => [...one, n] as const))('%s may not import %s', (_file, _imported, n) => {
  expect(found[n]).toContain(IMPORTS);
});

test.each(allowed.map((one, n) => [...one, forbidden.length + n] as const))(
  '%s may import %s',
  (_file, _imported, n) => {
    expect(found[n]).toEqual([]);
  },
);

test('only the configuration reads the environment, and the console has no text beside its messages', () => {
  expect(found.slice(-others.length)).toEqual(others.map(([, rule]) => expect.arrayContaining([rule])));
});

/** A word in an attribute that people see or hear; the linter does not tell these from class names. */
const TEXT_ATTRIBUTE = /\b(?:aria-label|alt|placeholder|title|label)="[^"]*\p{L}[^"]*"/gu;

test('nor has it any in attributes', () => {
  const files = readdirSync('web/src', { recursive: true, encoding: 'utf8' });
  const found = files
    // The page of the design is for developers alone.
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('design/'))
    .flatMap((file) => [...readFileSync(path.join('web/src', file), 'utf8').matchAll(TEXT_ATTRIBUTE)])
    .map(([text]) => text);
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
