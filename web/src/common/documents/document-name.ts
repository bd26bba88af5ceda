import type { Outputs } from '../../api/trpc';

type OneDocument = Outputs['documents']['getMany'][number];

/** What people call a document: the best that it has. */
export const nameOf = ({ documentName, title, url, storagePath, externalId, id }: OneDocument): string =>
  [documentName, title, url, storagePath, externalId].find(Boolean) ?? id;
