import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/cli/demo/find-free-port.js';
import { createServerEngine } from '../../src/ingestion/extraction/create-engine.js';
import { toOperatorMessage } from '../../src/model-endpoint/operator-message.js';
import { extractionLimits, useExtractionFiles } from '../support/extraction-files.js';
import { waitFor } from '../support/wait-for.js';

/* A real Tika server, with Java and with Tesseract's models for English and German. */

const jar = process.env.TIKA_JAR;
if (!jar) console.warn('SKIPPED: a real Tika server, since TIKA_JAR names no tika-server-standard.jar.');

describe.skipIf(!jar)('a real Tika server', () => {
  let tika: ChildProcess;
  let url = '';
  const file = useExtractionFiles();
  const engineFor = (languages: string[]) =>
    createServerEngine({ ...extractionLimits, api: 'tika', url, languages });

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const args = ['-Xmx512m', '-jar', jar as string, '--host', '127.0.0.1', '--port', String(port)];
    tika = spawn('java', args, { stdio: 'ignore' });
    await waitFor(async () => (await fetch(`${url}/version`).catch(() => undefined))?.ok === true);
  }, 120_000);
  afterAll(() => {
    tika.kill();
  });

  test('reads a picture', async () => {
    const path = 'test/fixtures/harbour-fees.png';
    const picture = { path, size: statSync(path).size, mediaType: 'image/png', fileName: 'fees.png' };
    const { mediaType, pages } = await engineFor(['en', 'de']).extract(picture, AbortSignal.timeout(60_000));
    expect(mediaType).toBe('text/html');
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/Harbour fees of Stralsund\s+Invoice 4711, March 2024/);
  });

  test('is there, with its languages', async () => {
    expect(await engineFor(['en', 'de']).check(AbortSignal.timeout(60_000))).toMatch(
      /^Apache Tika \S+ with Tesseract$/,
    );
    const unknown = await engineFor(['yo']).check(AbortSignal.timeout(60_000)).catch(toOperatorMessage);
    expect(unknown).toMatch(
      /^Apache Tika server reads no pictures in these languages: its Tesseract may lack one of yor\. /,
    );
  });

  test('refuses a file that it cannot read', async () => {
    const broken = file('broken.pdf', 'application/pdf', 'no PDF at all');
    await expect(engineFor([]).extract(broken, AbortSignal.timeout(60_000))).rejects.toMatchObject({
      failure: 'bad-request',
      isOfRequest: true,
    });
  });
});
