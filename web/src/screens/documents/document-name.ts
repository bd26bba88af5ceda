import type { Document } from '../../api/trpc';

/** What people call a document: the best that it has. */
export const nameOf = ({ documentName, title, url, storagePath, externalId, id }: Document): string =>
  [documentName, title, url, storagePath, externalId].find(Boolean) ?? id;
