import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createRestClient } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { findPython } from '../support/find-python.js';

/* The package of OpenAI for Python, which comes from the package registry, searches datasets by a key. */

const run = promisify(execFile);
const app = useApp({ authMode: 'required' });
const SCRIPTS = path.join(import.meta.dirname, 'openai');

const python = findPython();
const isSkipped = python === undefined && !process.env.CI;
if (isSkipped) process.stderr.write('SKIPPED: the OpenAI package for Python, as there is no Python 3.10.\n');

test.skipIf(isSkipped)('the OpenAI package for Python finds by a base URL and a key', async () => {
  if (python === undefined) throw new Error('Python 3.10 or newer, with venv, is needed.');
  const { key } = await app.makeKey({ scope: { tenantId: 'acme', tenantUnitId: 'sales' } });
  const rest = createRestClient({
    ...app,
    request: (method, route, options) =>
      app.request(method, route, { ...options, headers: { 'x-api-key': key, ...options?.headers } }),
  });
  for (const colour of ['red', 'green', 'blue']) {
    const documentContent = `The harbour of the ${colour} town.`;
    await rest.createDocument({ documentName: colour, documentContent, customProperties: { colour } }, [
      colour === 'blue' ? 'other' : 'faq',
    ]);
  }
  await app.settle();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-openai-'));
  try {
    await run(python, ['-m', 'venv', folder]);
    const bin = path.join(folder, 'bin');
    const install = ['install', '--quiet', '--disable-pip-version-check', '--requirement'];
    await run(path.join(bin, 'pip'), [...install, path.join(SCRIPTS, 'requirements.txt')]);
    const { stdout } = await run(path.join(bin, 'python'), [
      path.join(SCRIPTS, 'search.py'),
      app.address,
      key,
    ]);
    const fault = { type: 'invalid_request_error' };
    expect(JSON.parse(stdout)).toEqual({
      listed: ['vs_sales.faq', 'vs_sales.other'],
      turned: ['vs_sales.other', 'vs_sales.faq'],
      retrieved: 'faq',
      found: [['red', 'The harbour of the red town.', 'sales', true]],
      unknown: [
        'NotFoundError',
        404,
        {
          ...fault,
          message: 'There is no such vector store, or the API key may not read it.',
          param: 'vector_store_id',
          code: 'not_found',
        },
      ],
      unsupported: [
        'BadRequestError',
        400,
        {
          ...fault,
          message: 'rewrite_query: is not supported: queries are searched as they are',
          param: 'rewrite_query',
          code: 'value_error.invalid_value',
        },
      ],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
