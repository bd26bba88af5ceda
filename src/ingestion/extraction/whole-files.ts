import type { SubType } from '@lectern/file-to-markdown';
import { MEDIA_TYPES } from '@lectern/file-to-markdown/media-types';

/** Types of files that an engine can be given whole. Text, and pictures, have nothing else in them. */
export const WHOLE_FILES = [
  'pdf',
  'docx',
  'doc',
  'odt',
  'rtf',
  'pptx',
  'xlsx',
  'xls',
  'epub',
  'eml',
  'msg',
  'html',
] as const satisfies SubType[];

export const toMediaType = (type: SubType): string => MEDIA_TYPES[type];
