import { posix } from 'node:path';
import { ParseError } from '../../errors.js';
import { descendants } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

/**
 * Refuses a book whose text is encrypted. Fonts are often obfuscated, which does not matter here.
 *
 * @throws ParseError `encrypted`
 */
export async function assertNotEncrypted(parts: ZipParts, texts: string[]): Promise<void> {
  const encryption = await parts.xml('META-INF/encryption.xml').catch(() => undefined);
  if (!encryption) return;
  const names = new Set(texts);
  for (const { attributes } of descendants(encryption, 'CipherReference')) {
    if (!names.has(partName(attributes.URI ?? ''))) continue;
    const message = 'The e-book is protected against copying (DRM); upload an edition without protection.';
    throw new ParseError('encrypted', message);
  }
}

function partName(uri: string): string {
  try {
    return posix.join(decodeURIComponent(uri));
  } catch {
    return uri;
  }
}
