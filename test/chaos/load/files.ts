import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../../../bench/support/random.js';
import { type Content, contentOf } from '../model/content.js';
import type { NewFile } from './calls.js';
import { toScans } from './scans.js';
import type { Texts } from './texts.js';

/** Below `packages/file-to-markdown/test/fixtures`. */
export const FIXTURES: Record<string, string> = {
  'contract.pdf': 'application/pdf',
  'headings.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'lorem.doc': 'application/msword',
  'table.odt': 'application/vnd.oasis.opendocument.text',
  'bullets.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'stanley-cups.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'table.rtf': 'application/rtf',
  'attachment.eml': 'message/rfc822',
};

/** The texts of the chunks of each fixture, as they were when nothing was killed. */
export type FixtureTexts = Map<string, string[]>;

const FOLDER = path.resolve('packages/file-to-markdown/test/fixtures');

export const fixtureFile = (fixture: string, name: string): NewFile => ({
  fileName: `${name}${path.extname(fixture)}`,
  mediaType: FIXTURES[fixture] ?? '',
  bytes: new Uint8Array(readFileSync(path.join(FOLDER, fixture))),
});

/** Of files whose text is made here. */
const SCANS = 0.4;

/** A fixture, a text in one of several formats, or scans of it. */
export function makeFile(
  name: string,
  { random, texts, fixtures }: { random: Random; texts: Texts; fixtures: FixtureTexts },
): { file: NewFile; content: Content } {
  if (random.next() < 0.5) {
    const fixture = random.oneOf([...fixtures.keys()]);
    const file = fixtureFile(fixture, name);
    const pieces = fixtures.get(fixture) ?? [];
    return { file, content: { pieces, isFixture: true, sha256: sha256(file.bytes) } };
  }
  const text = texts.text();
  const isScanned = random.next() < SCANS;
  const [extension, mediaType, written] = isScanned
    ? (['pdf', 'application/pdf', toScans(text)] as const)
    : random.oneOf(formatsOf(text));
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : new Uint8Array(written);
  const file = { fileName: `${name}.${extension}`, mediaType, bytes };
  const content = contentOf(text);
  // The first one is written, the others are pictures.
  const scanned = isScanned ? content.pieces.slice(1) : [];
  return { file, content: { ...content, scanned, sha256: sha256(bytes) } };
}

const formatsOf = (text: string): [extension: string, mediaType: string, written: string][] => [
  ['txt', 'text/plain', text],
  ['md', 'text/markdown', `# A heading\n\n${text}\n`],
  ['html', 'text/html', toPage(text)],
  ['json', 'application/json', JSON.stringify({ sections: text.split('\n\n') })],
];

export const toPage = (text: string): string => {
  const paragraphs = text.split('\n\n').map((one) => `<p>${one}</p>`);
  return `<!doctype html><html><head><title>A page</title></head><body><article><h1>A page</h1>${paragraphs.join('')}</article></body></html>`;
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
