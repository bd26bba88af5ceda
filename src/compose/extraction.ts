import type { Logger } from 'pino';
import { withDeadline } from '../async/linked-signals.js';
import type { Config } from '../config/config.js';
import { createServerEngine } from '../ingestion/extraction/create-engine.js';
import type { ExtractionEngine } from '../ingestion/extraction/extraction-engine.js';
import { EndpointError } from '../model-endpoint/endpoint-error.js';
import { toOperatorMessage } from '../model-endpoint/operator-message.js';

/** Some engines load their models first. */
const CHECK_TIMEOUT_MS = 30_000;

/**
 * The configured engine that reads scans.
 *
 * @returns undefined where none is configured, or the program of this machine is
 */
export function createExtraction({ extraction }: Pick<Config, 'extraction'>): ExtractionEngine | undefined {
  if (!extraction || !('url' in extraction)) return undefined;
  return createServerEngine(extraction);
}

/** Says in the log what is wrong with an engine. Nothing waits for it: documents with text do not need it. */
export async function logExtractionCheck(
  engine: ExtractionEngine | undefined,
  { stopping, log }: { stopping: AbortSignal; log: Logger },
): Promise<void> {
  if (!engine) return;
  try {
    const found = await withDeadline(CHECK_TIMEOUT_MS, stopping, (signal) => engine.check(signal));
    log.info({ engine: found }, 'the extraction engine is there');
  } catch (error) {
    if (stopping.aborted) return;
    if (error instanceof EndpointError)
      log.warn({ reason: toOperatorMessage(error) }, 'the extraction engine cannot be used');
    else log.warn({ err: error }, 'the extraction engine could not be checked');
  }
}
