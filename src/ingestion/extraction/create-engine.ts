import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { withDeadline } from '../../async/linked-signals.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import { createPacer } from '../../model-endpoint/pacer.js';
import { createDoclingEngine } from './engines/docling.js';
import { createHttpEngine } from './engines/http.js';
import { createOpenAiEngine } from './engines/openai.js';
import { createTikaEngine } from './engines/tika.js';
import type { ExtractionEngine, FileToExtract } from './extraction-engine.js';
import type { ExtractionLimits, ServerSettings } from './extraction-settings.js';

/** An engine that is a server, within the limits that are configured. */
export const createServerEngine = (settings: ServerSettings): ExtractionEngine =>
  withLimits(createClient(settings), settings);

function createClient(settings: ServerSettings): ExtractionEngine {
  switch (settings.api) {
    case 'docling':
      return createDoclingEngine(settings);
    case 'tika':
      return createTikaEngine(settings);
    case 'openai':
      return createOpenAiEngine(settings);
    case 'http':
      return createHttpEngine(settings);
  }
}

/**
 * Asks an engine for so many files at a time and in a minute, and for none that is too large. Waiting for the turn is not
 * part of the time that a file has.
 */
function withLimits(engine: ExtractionEngine, limits: ExtractionLimits): ExtractionEngine {
  const { timeoutMs, maxFileBytes, concurrency, requestsPerMinute } = limits;
  const limit = createConcurrencyLimit({ perKey: concurrency });
  const pacer = createPacer({ requestsPerMinute });
  return {
    ...engine,
    extract(file, signal) {
      if (file.size > maxFileBytes) return Promise.reject(tooLarge(file, maxFileBytes));
      return limit.run(
        '',
        async () => {
          await pacer.wait(0, signal);
          return withDeadline(timeoutMs, signal, (ending) => engine.extract(file, ending));
        },
        signal,
      );
    },
  };
}

const tooLarge = ({ size }: FileToExtract, maxFileBytes: number): EndpointError =>
  new EndpointError(
    'extraction',
    'too-long',
    `The file has ${size} bytes, and ${maxFileBytes} are the most that are sent.`,
  );
