import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type EngineAnswer, startEngineServer } from '../../../../test/support/engine-server.js';
import { extractionLimits, useExtractionFiles } from '../../../../test/support/extraction-files.js';
import { toOperatorMessage } from '../../../model-endpoint/operator-message.js';
import { createServerEngine } from '../create-engine.js';
import type { ServerSettings } from '../extraction-settings.js';

/* What all engines do about a server that fails, whatever it speaks. */

let answer: EngineAnswer;
const server = await startEngineServer(() => answer);
const elsewhere = await startEngineServer(() => ({ body: 'never asked' }));
afterAll(() => Promise.all([server.close(), elsewhere.close()]));
beforeEach(() => {
  elsewhere.requests.length = 0;
});

const file = useExtractionFiles()('scan.png', 'image/png', 'a picture');
const { url } = server;
const apis: ServerSettings[] = [
  { ...extractionLimits, api: 'docling', url },
  { ...extractionLimits, api: 'tika', url },
  { ...extractionLimits, api: 'openai', url, model: 'eyes' },
  { ...extractionLimits, api: 'http', url },
];

/** A failure as those see it who try again, and as operators do. */
const failureOf = (settings: ServerSettings) =>
  createServerEngine(settings)
    .extract(file, new AbortController().signal)
    .then(
      () => 'answered',
      ({ failure, isOfRequest, details, ...error }) => ({
        failure,
        isOfRequest,
        retryAfterMs: details.retryAfterMs,
        message: toOperatorMessage(Object.assign(error, { failure, isOfRequest, details })),
      }),
    );

describe.each(apis)('$api', (settings) => {
  test.each<[EngineAnswer, failure: string]>([
    [{ status: 401 }, 'unauthorized'],
    [{ status: 403 }, 'unauthorized'],
    [{ status: 404 }, 'not-found'],
    [{ status: 413 }, 'too-long'],
    [{ status: 422 }, 'bad-request'],
    [{ status: 429 }, 'rate-limited'],
    [{ status: 500 }, 'unavailable'],
    [{ status: 503 }, 'unavailable'],
    [{ status: 504 }, 'timed-out'],
    ['reset', 'unavailable'],
    ['half', 'unavailable'],
  ])('fails for %j: %s', async (given, failure) => {
    answer = given;
    const isOfRequest = failure === 'too-long' || failure === 'bad-request';
    expect(await failureOf(settings)).toMatchObject({ failure, isOfRequest });
  });

  test('says when to come back', async () => {
    answer = { status: 429, headers: { 'retry-after': '7' } };
    expect(await failureOf(settings)).toMatchObject({ failure: 'rate-limited', retryAfterMs: 7_000 });
  });

  test('does not wait for silence', async () => {
    answer = 'hang';
    expect(await failureOf({ ...settings, timeoutMs: 100 })).toMatchObject({ failure: 'timed-out' });
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    answer = { status, headers: { location: elsewhere.url } };
    expect(await failureOf(settings)).toMatchObject({ failure: 'not-found', isOfRequest: false });
    expect(elsewhere.requests).toEqual([]);
  });

  test('does not read an answer without an end, packed or not', async () => {
    const body = Buffer.alloc(17 * 1024 * 1024, ' ');
    const headers = { 'content-type': 'text/html' };
    answer = { headers, body };
    // docling-serve is asked for a task first, whose answer is small.
    const failure = settings.api === 'docling' ? 'malformed' : 'too-long';
    expect(await failureOf(settings)).toMatchObject({ failure });
    answer = { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
    expect(await failureOf(settings)).toMatchObject({ failure });
  });

  test('does not send a file that is too large', async () => {
    server.requests.length = 0;
    expect(await failureOf({ ...settings, maxFileBytes: 8 })).toMatchObject({
      failure: 'too-long',
      isOfRequest: true,
    });
    expect(server.requests).toEqual([]);
  });

  test('blames nobody else for a file that is gone', async () => {
    const engine = createServerEngine(settings);
    const gone = { ...file, path: `${file.path}-gone` };
    await expect(engine.extract(gone, AbortSignal.timeout(60_000))).rejects.toMatchObject({
      name: 'UnreadableFileError',
    });
    const longer = { ...file, size: file.size + 1 };
    await expect(engine.extract(longer, AbortSignal.timeout(60_000))).rejects.toMatchObject({
      name: 'UnreadableFileError',
    });
  });

  test('fails for a server that is not there', async () => {
    expect(await failureOf({ ...settings, url: 'http://127.0.0.1:9' })).toMatchObject({
      failure: 'unavailable',
    });
  });

  if (settings.api === 'tika') return;

  test.each(['<html>', '{', '{}', '[]', 'null', '{"pages":{}}', '{"choices":[]}', '{"task_id":"../x"}'])(
    'does not use %j',
    async (body) => {
      answer = { headers: { 'content-type': 'application/json' }, body };
      expect(await failureOf(settings)).toMatchObject({ failure: 'malformed', isOfRequest: false });
    },
  );
});
