import { posix } from 'node:path';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

/**
 * The name of the part that a reference means. Names in the ZIP may be encoded as the reference is, or compose
 * letters in another way.
 */
export function findPart(parts: ZipParts, folder: string, href: string): string {
  const written = href.replace(/[?#].*/s, '');
  const name = posix.join(folder, decoded(written));
  const variants = [name, posix.join(folder, written), name.normalize('NFC'), name.normalize('NFD')];
  return variants.find((variant) => parts.has(variant)) ?? name;
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
