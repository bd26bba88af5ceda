import { type ParsedDocument, type ParseInput, parse } from '@lectern/file-to-markdown';
import { collectPictures } from './collect-pictures.js';
import type { CollectedPicture, ExtractionStep, ToExtract } from './extraction-step.js';
import { insertTexts } from './insert-texts.js';

/**
 * Parses a file, as far as that goes without an extraction engine.
 *
 * @param step undefined: pages that only an engine could read are left out
 * @throws what `parse` throws
 */
export async function parseStep(
  step: ExtractionStep | undefined,
  input: ParseInput,
  onPicture: (picture: CollectedPicture) => Promise<void>,
): Promise<ParsedDocument | ToExtract> {
  if (!step) return parse(input);
  if (step.step === 'collect') return collectPictures(input, step, onPicture);
  if (step.step === 'insert') return insertTexts(input, step);
  return askForPictures(input);
}

async function askForPictures(input: ParseInput): Promise<ParsedDocument | ToExtract> {
  let isNeeded = false;
  const recognize = () => {
    isNeeded = true;
    throw new Error('An engine is needed.');
  };
  try {
    return await parse({ ...input, recognize });
  } catch (error) {
    if (isNeeded) return { extraction: 'needed' };
    throw error;
  }
}
