import type { Document } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { messages } from './messages';

export type Named = Pick<Document, 'documentSubType' | 'documentName'>;

/** The format of a document, as it was found or given, else as the end of its name says, such as `pdf`. */
export function formatOf({ documentSubType, documentName }: Named): string | undefined {
  if (documentSubType) return documentSubType;
  const end = documentName?.split('.').at(-1)?.toLowerCase();
  return end === documentName?.toLowerCase() ? undefined : end;
}

/** @returns for a document the name that people have for its format; undefined where the format is not known yet */
export function useFormatName(): (document: Named) => string | undefined {
  const formats = useMessages(messages);
  return (document) => {
    const format = formatOf(document);
    if (format !== undefined && Object.hasOwn(formats, format))
      return formats[format as keyof typeof formats];
    // Callers may have written anything into it.
    return document.documentSubType ?? undefined;
  };
}
