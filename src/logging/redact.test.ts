import { expect, test } from 'vitest';
import { formatApiKey, generateApiKey } from '../auth/api-key-format.js';
import { createRedactor } from './redact.js';

const redact = createRedactor(['hunter2-and-more', 'with "quotes" & more', 'short', undefined]);

test('API keys are known by their form; what they are called stays', () => {
  const key = generateApiKey();
  const text = formatApiKey(key);
  expect(redact(`refused ${text}, ${text}.`)).toBe(`refused lectern_${key.id}_…, lectern_${key.id}_….`);
});

test.each([
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw is wrong', 'whsec_… is wrong'],
  ['refused sk-proj-Ab1**********9xYz. Others do not', 'refused sk-…. Others do not'],
  ['hf_hub_download is no key, hf_AbCdEfGhIjKlMnOpQr1 is', 'hf_hub_download is no key, hf_… is'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer …'],
  ['postgres://lectern:pass%20word@db.example:5432/x', 'postgres://lectern:…@db.example:5432/x'],
  ['https://:token@example.org/a and more', 'https://:…@example.org/a and more'],
  ['at https://example.org:8080/a?b=c@d', 'at https://example.org:8080/a?b=c@d'],
  ['{"x-api-key":"abc","path":"/a"}', '{"x-api-key":"…","path":"/a"}'],
  ['{"password": "a\\"b", "next":"c"}', '{"password": "…", "next":"c"}'],
  [
    JSON.stringify({ body: JSON.stringify({ apiKey: 'a"b', name: 'c' }) }),
    JSON.stringify({ body: JSON.stringify({ apiKey: '…', name: 'c' }) }),
  ],
  ['key hunter2-and-more', 'key …'],
  [encodeURIComponent('with "quotes" & more'), '…'],
  [JSON.stringify({ a: 'with "quotes" & more' }), '{"a":"…"}'],
  ['short words stay', 'short words stay'],
  ['lectern_chunks and a lectern_index', 'lectern_chunks and a lectern_index'],
])('%s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});
