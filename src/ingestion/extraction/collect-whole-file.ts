import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ParseInput, SubType } from '@lectern/file-to-markdown';
import { type CollectedDocument, placeholder } from './collect-pictures.js';
import { type Collected, type CollectedPicture, PARSED_FILE } from './extraction-step.js';

/** A document of which an engine reads the whole file. */
export async function collectWholeFile(
  { source }: ParseInput,
  { subType, mediaType, folder }: { subType: SubType; mediaType: string; folder: string },
  onPicture: (picture: CollectedPicture) => Promise<void>,
): Promise<Collected> {
  const hash = createHash('sha256').update('file ');
  for await (const bytes of source.stream()) hash.update(bytes);
  const key = hash.digest('base64url');
  await onPicture({ key, page: 1, mediaType, size: source.size, isFile: true });
  const nonce = randomBytes(8).toString('hex');
  const document: CollectedDocument = {
    nonce,
    subType,
    mediaType,
    pages: [{ number: 1, markdown: placeholder(nonce, 0) }],
    pictures: [{ key }],
    isWholeFile: true,
    warnings: [],
  };
  await writeFile(path.join(folder, PARSED_FILE), JSON.stringify(document));
  return { extraction: 'collected', subType };
}
