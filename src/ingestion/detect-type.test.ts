import { expect, it } from 'vitest';
import { detectType } from './detect-type.js';
import { bytesInMemory } from './source-bytes.js';

const mail = 'From: a@example.org\nTo: b@example.org\nSubject: Hello\n\nText.';

it.each([
  ['content over name and media type', '%PDF-1.7 …', 'a.txt', 'text/plain', 'pdf'],
  ['a page', '<!DOCTYPE html><p>x', 'a.txt', undefined, 'html'],
  ['a page as XML', '<?xml version="1.0"?>\n<html xmlns="…">', undefined, undefined, 'html'],
  ['XML', '<?xml version="1.0"?><a/>', undefined, 'text/html', 'xml'],
  ['JSON', '{"a": 1}', undefined, undefined, 'json'],
  ['brackets that are no JSON', '[draft] Some words', undefined, undefined, 'txt'],
  ['mail', mail, undefined, undefined, 'eml'],
  ['rich text', '{\\rtf1 x}', 'a.doc', undefined, 'rtf'],
  ['the media type over the name', 'a,b', 'a.md', 'text/csv; charset=utf-8', 'csv'],
  ['the name where the media type says nothing', '# a', 'A.MD', 'application/octet-stream', 'md'],
  ['the name over plain text', 'a\tb', 'a.tsv', 'text/plain', 'tsv'],
  ['lines of JSON by their name', '{"a": 1}\n{"a": 2}', 'a.ndjson', undefined, 'ndjson'],
  ['words that are also magic numbers', 'BMW and II* build MZ', undefined, undefined, 'txt'],
])('%s', async (_, text, fileName, mediaType, subType) => {
  const hints = {
    source: bytesInMemory(Buffer.from(text)),
    ...(fileName && { fileName }),
    ...(mediaType && { mediaType }),
  };
  expect((await detectType(hints)).subType).toBe(subType);
});

it('names the media type of what it does not know', async () => {
  const gzip = Buffer.from('1f8b0800000000000003010000ffff0000000000000000', 'hex');
  expect(await detectType({ source: bytesInMemory(gzip) })).toEqual({ mediaType: 'application/gzip' });
});
