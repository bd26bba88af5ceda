import { afterAll, expect, test } from 'vitest';
import { type EngineAnswer, json, startEngineServer } from '../../../../test/support/engine-server.js';
import { extractionLimits, useExtractionFiles } from '../../../../test/support/extraction-files.js';
import { createServerEngine } from '../create-engine.js';

let answer: EngineAnswer;
const server = await startEngineServer(() => answer);
afterAll(() => server.close());

const file = useExtractionFiles();
const url = `${server.url}/v1`;
const settings = {
  ...extractionLimits,
  api: 'openai' as const,
  url,
  apiKey: 'secret',
  model: '<picture> "eyes"',
};
const engine = createServerEngine({ ...settings, languages: ['en', 'zh-Hans'] });

const said = (content: string | null, others: object = {}, message: object = {}): EngineAnswer =>
  json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content, ...message }, finish_reason: 'stop', ...others },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

const extract = (bytes: string | Uint8Array = 'a picture') =>
  engine.extract(file('scan.jpg', 'image/jpeg', bytes), AbortSignal.timeout(60_000));

test('a picture is sent as a data URL, with what is asked of it', async () => {
  answer = said('# Read');
  server.requests.length = 0;
  expect(await extract()).toEqual({ mediaType: 'text/markdown', pages: ['# Read'] });
  expect(server.requests).toMatchObject([
    { method: 'POST', path: '/v1/chat/completions', headers: { authorization: 'Bearer secret' } },
  ]);
  expect(JSON.parse(server.requests[0]?.body.toString() ?? '')).toEqual({
    model: '<picture> "eyes"',
    temperature: 0,
    max_tokens: 16_384,
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: expect.stringMatching(/^Transcribe all text .* Expect English or Simplified Chinese\.$/),
          },
          {
            type: 'image_url',
            image_url: { url: `data:image/jpeg;base64,${Buffer.from('a picture').toString('base64')}` },
          },
        ],
      },
    ],
  });
});

// Around the 64 KiB in which files are read, none of which is a multiple of three.
test.each([0, 1, 2, 3, 65_535, 65_536, 65_537, 200_000])('a picture of %i bytes arrives', async (size) => {
  answer = said('');
  const bytes = Buffer.from(Array.from({ length: size }, (_, n) => (n * 7) % 251));
  server.requests.length = 0;
  await extract(bytes);
  const { messages } = JSON.parse(server.requests[0]?.body.toString() ?? '');
  const [, base64] = messages[0].content[1].image_url.url.split(',');
  expect(Buffer.from(base64, 'base64').equals(bytes)).toBe(true);
});

test.each<[string, EngineAnswer, text: string]>([
  ['a code fence around it', said('```markdown\n# A\n```'), '# A\n'],
  ['nothing', said(''), ''],
  ['null', said(null), ''],
  ['a refusal', said('I cannot', {}, { refusal: 'I cannot help with that.' }), ''],
  ['what a filter stopped', said('Half', { finish_reason: 'content_filter' }), ''],
  ['no reason', said('text', { finish_reason: null }), 'text'],
])('%s is read', async (_, given, text) => {
  answer = given;
  expect(await extract()).toEqual({ mediaType: 'text/markdown', pages: [text] });
});

test('half a page does not pass for all of it', async () => {
  answer = said('Half', { finish_reason: 'length' });
  await expect(extract()).rejects.toMatchObject({
    failure: 'too-long',
    isOfRequest: true,
    message: "The extraction endpoint's answer has more than 16384 tokens.",
  });
});

test('it is asked for one token to find out whether it reads pictures', async () => {
  answer = said('', { finish_reason: 'length' });
  server.requests.length = 0;
  expect(await engine.check(AbortSignal.timeout(60_000))).toBe(`<picture> "eyes" at ${server.url}`);
  const body = JSON.parse(server.requests[0]?.body.toString() ?? '');
  expect(body.max_tokens).toBe(1);
  expect(body.messages[0].content[1].image_url.url).toMatch(/^data:image\/png;base64,iVBOR/);

  answer = json({ error: { message: 'no vision', type: 'invalid_request_error', code: null } }, 400);
  await expect(engine.check(AbortSignal.timeout(60_000))).rejects.toMatchObject({ failure: 'bad-request' });
});

test('it reads pictures alone, and its version has model and languages', () => {
  const types = ['image/png', 'image/jpeg', 'image/webp', 'image/tiff', 'application/pdf', 'image/svg+xml'];
  expect(types.filter(engine.accepts)).toEqual(['image/png', 'image/jpeg', 'image/webp']);
  expect(engine.version).toBe('openai <picture> "eyes" en zh-Hans');
});
