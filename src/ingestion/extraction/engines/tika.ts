import { EndpointError } from '../../../model-endpoint/endpoint-error.js';
import { bearer } from '../../../model-endpoint/post-json.js';
import { bytesBody, fileBody, type RequestBody } from '../../../model-endpoint/request-body.js';
import type { ExtractedText, ExtractionEngine } from '../extraction-engine.js';
import type { ServerSettings } from '../extraction-settings.js';
import { toTesseractLanguage } from '../languages/tesseract-languages.js';
import { askForStatus, askForText } from './ask-engine.js';
import { boundText } from './bound-text.js';
import { splitAtPages } from './split-xhtml.js';
import { TINY_PNG } from './tiny-png.js';

type TikaSettings = Extract<ServerSettings, { api: 'docling' | 'tika' | 'http' }>;

/** What Tika says of a picture whose text it looks for. */
const OCR_PARSER = 'TesseractOCRParser';

/** Apache Tika server 2 and 3, which runs Tesseract where that is installed beside it. */
export function createTikaEngine({ url, apiKey, languages }: TikaSettings): ExtractionEngine {
  const names = languages.map((tag) => toTesseractLanguage(tag) as string);
  const ocrHeaders = {
    // Pages that have text are not read as pictures, too.
    'x-tika-pdfocrstrategy': 'auto',
    ...(names.length > 0 && { 'x-tika-ocrlanguage': names.join('+') }),
  };
  return { name: 'tika', version: ['tika', ...names].join(' '), accepts: () => true, extract, check };

  async function extract(
    { path, size, mediaType }: { path: string; size: number; mediaType: string },
    signal: AbortSignal,
  ): Promise<ExtractedText> {
    // XHTML has what the plain text has not: headings, tables, and where pages begin. `/rmeta` has the same as strings in JSON.
    const { text } = await askForText(requestFor(mediaType, fileBody({ path, size }), signal));
    return boundText('text/html', splitAtPages(text));
  }

  async function check(signal: AbortSignal): Promise<string> {
    const version = await askForStatus({
      method: 'GET',
      url,
      path: 'version',
      headers: bearer(apiKey),
      signal,
    });
    if (!version.text.startsWith('Apache Tika'))
      throw new EndpointError(
        'extraction',
        'not-found',
        'The extraction endpoint answers, and is no Apache Tika server.',
      );
    const read = await askForText(requestFor('image/png', bytesBody(TINY_PNG), signal)).catch(toMissing);
    if (!read.text.includes(OCR_PARSER)) throw new EndpointError('extraction', 'bad-request', NO_TESSERACT);
    return `${version.text.slice(0, 40).trim()} with Tesseract`;
  }

  function requestFor(mediaType: string, body: RequestBody, signal: AbortSignal) {
    return {
      method: 'PUT' as const,
      url,
      path: 'tika',
      headers: { accept: 'text/html', 'content-type': mediaType, ...ocrHeaders, ...bearer(apiKey) },
      body,
      signal,
    };
  }

  /** Tika refuses a picture in languages that its Tesseract has no models of. */
  function toMissing(error: unknown): never {
    if (error instanceof EndpointError && error.failure === 'bad-request' && names.length > 0)
      throw new EndpointError(
        'extraction',
        'bad-request',
        `Apache Tika server reads no pictures in these languages: its Tesseract may lack one of ${names.join(', ')}.`,
        error.details,
      );
    throw error;
  }
}

const NO_TESSERACT =
  'Apache Tika server has no Tesseract, so it reads no pictures: the image apache/tika has it in its full variant.';
