import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { type EngineAnswer, startEngineServer } from '../../test/support/engine-server.js';
import { readConfig } from '../config/config.js';
import { logExtractionCheck, openEngine } from './extraction.js';

let answer: EngineAnswer;
const server = await startEngineServer(() => answer);
afterAll(() => server.close());

/** What a server says at its start of the engine that it is configured with. */
async function logOf(env: NodeJS.ProcessEnv) {
  const lines: object[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
  const { signal: stopping } = new AbortController();
  await logExtractionCheck(await openEngine(readConfig(env).extraction), { stopping, log });
  return lines;
}
const env = { EXTRACTION_API: 'http', EXTRACTION_URL: server.url };

test('a server says at its start which engine it has', async () => {
  answer = { status: 405 };
  expect(await logOf(env)).toEqual([
    { level: 30, engine: `a server at ${server.url}`, msg: 'the extraction engine is there' },
  ]);
});

test('it warns of one that cannot be used, and says what to do', async () => {
  answer = { status: 401 };
  expect(await logOf(env)).toEqual([
    {
      level: 40,
      reason:
        'The extraction endpoint answered 401: it refuses the key, or asks for one. Check EXTRACTION_API_KEY.',
      msg: 'the extraction engine cannot be used',
    },
  ]);
});

test('without an engine there is nothing to ask', async () => {
  expect(await logOf({ EXTRACTION_API: 'none' })).toEqual([]);
});

test.each([
  [{ EXTRACTION_API: 'docling', EXTRACTION_FOR: 'pdf,msg' }, 'EXTRACTION_FOR has msg, and docling does not'],
  [
    { EXTRACTION_API: 'openai', EXTRACTION_MODEL: 'm', EXTRACTION_FOR: 'tables' },
    'EXTRACTION_FOR has tables, and openai does not read PDF files.',
  ],
])('an engine is not asked for what it does not read: %j', async (given, message) => {
  const { extraction } = readConfig({ EXTRACTION_URL: server.url, ...given });
  await expect(openEngine(extraction)).rejects.toThrow(message);
});
