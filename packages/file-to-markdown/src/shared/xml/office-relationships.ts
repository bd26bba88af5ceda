import { posix } from 'node:path';
import type { ZipParts } from '../zip/zip-parts.js';
import { childElements } from './xml-tree.js';

export interface Relationship {
  id: string;
  /** The last word of the type's address, e.g. `notesSlide`. */
  type: string;
  /** Full name of the part. */
  path: string;
}

/** What a part of an Office file refers to inside the file. */
export async function readRelationships(parts: ZipParts, path: string): Promise<Relationship[]> {
  const folder = posix.dirname(path);
  const root = await parts.xml(relationshipsPart(path));
  if (!root) return [];
  return childElements(root, 'Relationship')
    .filter(({ attributes }) => attributes.TargetMode !== 'External')
    .map(({ attributes: { Id = '', Type = '', Target = '' } }) => ({
      id: Id,
      type: Type.slice(Type.lastIndexOf('/') + 1),
      path: posix.join('/', Target.startsWith('/') ? '' : folder, Target).slice(1),
    }));
}

/** Where a part's references stand. */
export function relationshipsPart(path: string): string {
  return posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`);
}
