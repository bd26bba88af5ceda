import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { documentMessages } from './messages';

/** @returns for a document the name that people have for its format; undefined where the format is not known yet */
export function useFormatName(): (document: Pick<Document, 'documentSubType'>) => string | undefined {
  const { formats } = useMessages(documentMessages);
  return ({ documentSubType: subType }) => {
    if (!subType) return undefined;
    // Callers may have written anything into it.
    return Object.hasOwn(formats, subType) ? formats[subType as keyof typeof formats] : subType;
  };
}
