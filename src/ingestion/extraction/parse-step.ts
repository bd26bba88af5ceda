import {
  detectType,
  type ParsedDocument,
  type ParseInput,
  parse,
  type SubType,
} from '@lectern/file-to-markdown';
import { collectPictures } from './collect-pictures.js';
import { collectWholeFile } from './collect-whole-file.js';
import type { Collected, CollectedPicture, ExtractionStep } from './extraction-step.js';
import { insertTexts } from './insert-texts.js';

/** An engine is needed for what is being parsed. */
export class EngineNeeded extends Error {}

/**
 * Parses a file, as far as that goes without an extraction engine.
 *
 * @param step undefined: pages that only an engine could read are left out
 * @throws what `parse` throws; EngineNeeded where only that was asked
 */
export async function parseStep(
  step: ExtractionStep | undefined,
  input: ParseInput,
  onPicture: (picture: CollectedPicture) => Promise<void>,
): Promise<ParsedDocument | Collected> {
  if (!step) return parse(input);
  if (step.step === 'insert') return insertTexts(input, step);
  const whole = await detectWholeFile(input, step.scope.files);
  if (step.step === 'ask') {
    if (whole) throw new EngineNeeded();
    const recognize = () => {
      throw new EngineNeeded();
    };
    return parse({ ...input, recognize, recognizeAlso: step.scope });
  }
  if (whole) return collectWholeFile(input, { ...whole, folder: step.folder }, onPicture);
  return collectPictures(input, step, onPicture);
}

/** Undefined where the engine reads no file of this type whole; mostly it reads none, and `parse` detects the type itself. */
async function detectWholeFile(
  input: ParseInput,
  files: readonly SubType[],
): Promise<{ subType: SubType; mediaType: string } | undefined> {
  if (files.length === 0) return undefined;
  const { subType, mediaType } = await detectType(input);
  return subType && files.includes(subType) ? { subType, mediaType } : undefined;
}
