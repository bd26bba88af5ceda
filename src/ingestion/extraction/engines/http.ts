import { z } from 'zod';
import { unusable } from '../../../model-endpoint/endpoint-error.js';
import { bearer } from '../../../model-endpoint/post-json.js';
import { fileBody } from '../../../model-endpoint/request-body.js';
import type { ExtractedText, ExtractionEngine, FileToExtract } from '../extraction-engine.js';
import type { ServerSettings } from '../extraction-settings.js';
import { askForStatus, askForText } from './ask-engine.js';
import { boundText, splitPages } from './bound-text.js';
import { readJson } from './read-json.js';

const FORM_FEED = '\f';
const TEXTS = ['text/markdown', 'text/html', 'text/plain'] as const;

const answer = z.object({ pages: z.array(z.string()) });

type HttpSettings = Extract<ServerSettings, { api: 'docling' | 'tika' | 'http' }>;

/** An engine that somebody wrote for Lectern: docs/guide/how-to/read-scans.md has what it is asked and may answer. */
export function createHttpEngine({ url, apiKey, languages }: HttpSettings): ExtractionEngine {
  return { name: 'http', version: ['http', ...languages].join(' '), accepts: () => true, extract, check };

  async function extract(file: FileToExtract, signal: AbortSignal): Promise<ExtractedText> {
    const { mediaType, text } = await askForText({
      method: 'POST',
      url,
      path: '',
      headers: {
        'content-type': file.mediaType,
        'x-file-name': encodeURIComponent(lastOf(file.fileName)),
        ...(languages.length > 0 && { 'x-languages': languages.join(',') }),
        ...bearer(apiKey),
      },
      body: fileBody(file),
      signal,
    });
    if (mediaType === 'application/json')
      return boundText('text/markdown', (await readJson(answer, text)).pages);
    const type = TEXTS.find((one) => one === mediaType);
    if (!type)
      throw unusable(
        'extraction',
        'its Content-Type is not text/markdown, text/html, text/plain or application/json',
      );
    return boundText(type, splitPages(text, FORM_FEED));
  }

  async function check(signal: AbortSignal): Promise<string> {
    // Servers of one route answer 404 or 405, and refuse the key if it is wrong.
    const isAnswer = (status: number) =>
      (status >= 200 && status <= 299) ||
      (status >= 400 && status <= 499 && status !== 401 && status !== 403);
    await askForStatus({ method: 'GET', url, path: '', headers: bearer(apiKey), isAnswer, signal });
    return `a server at ${new URL(url).origin}`;
  }
}

/** The end of a name, where its extension is: headers have a limit. */
const lastOf = (name: string): string => name.slice(-255).toWellFormed();
