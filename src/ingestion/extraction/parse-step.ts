import { detectType, type ParsedDocument, type ParseInput, parse } from '@lectern/file-to-markdown';
import { collectPictures } from './collect-pictures.js';
import { collectWholeFile } from './collect-whole-file.js';
import type { ExtractionScope } from './extraction-scope.js';
import type { Collected, CollectedPicture, ExtractionStep } from './extraction-step.js';
import { insertTexts } from './insert-texts.js';

/** An engine is needed for what is being parsed. */
export class EngineNeeded extends Error {}

/**
 * Parses a file, as far as that goes without an extraction engine.
 *
 * @param step undefined: pages that only an engine could read are left out
 * @throws what `parse` throws; EngineNeeded where only that was asked, also while the pages are read
 */
export async function parseStep(
  step: ExtractionStep | undefined,
  input: ParseInput,
  onPicture: (picture: CollectedPicture) => Promise<void>,
): Promise<ParsedDocument | Collected> {
  if (!step) return parse(input);
  if (step.step === 'insert') return insertTexts(input, step);
  const { subType, mediaType } = await detectType(input);
  const isWhole = subType !== undefined && step.scope.files.includes(subType);
  if (step.step === 'ask') {
    if (isWhole) throw new EngineNeeded();
    return askForPictures(input, step.scope);
  }
  if (isWhole) return collectWholeFile(input, { subType, mediaType, folder: step.folder }, onPicture);
  return collectPictures(input, step, onPicture);
}

async function askForPictures(input: ParseInput, scope: ExtractionScope): Promise<ParsedDocument> {
  let isNeeded = false;
  const recognize = () => {
    isNeeded = true;
    throw new EngineNeeded();
  };
  // Whatever a parser makes of the error.
  const orNeeded = (error: unknown) => (isNeeded ? new EngineNeeded() : error);
  const parsed = await parse({ ...input, recognize, recognizeAlso: scope }).catch((error) => {
    throw orNeeded(error);
  });
  return { ...parsed, pages: read(parsed.pages) };

  async function* read(pages: ParsedDocument['pages']): ParsedDocument['pages'] {
    try {
      for await (const page of pages) {
        if (isNeeded) throw new EngineNeeded();
        yield page;
      }
    } catch (error) {
      throw orNeeded(error);
    }
    if (isNeeded) throw new EngineNeeded();
  }
}
