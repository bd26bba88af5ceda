import { openEngine } from '../../../compose/extraction.js';
import { EndpointError } from '../../../model-endpoint/endpoint-error.js';
import { toOperatorMessage } from '../../../model-endpoint/operator-message.js';
import { type Check, ok, splitAdvice, warning } from '../check.js';

/** Some engines load their models first. */
const TIMEOUT_MS = 15_000;

/** Documents with text are read without it. */
export const checkExtraction: Check = {
  name: 'extraction',
  async run({ config }) {
    if (!config.extraction) return ok('Scans are not read: EXTRACTION_API is none.');
    const engine = await openEngine(config.extraction);
    if (!engine)
      return ok('Scans are not read: Tesseract is not installed, and EXTRACTION_API names no engine.');
    const { languages } = config.extraction;
    try {
      const found = await engine.check(AbortSignal.timeout(TIMEOUT_MS));
      return ok(`${found} reads scans in ${languages.join(', ') || 'its own default languages'}.`);
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      const [message, advice] = splitAdvice(toOperatorMessage(error), 'See EXTRACTION_URL.');
      return warning(`${message} Scans are not read.`, advice);
    }
  },
};
