import { sourceFromFile as openFile, type SourceBytes } from '@lectern/file-to-markdown';
import { fileMissingError } from '../ingestion-error.js';

/** @throws IngestionError `file_missing`, as when its document was deleted while it waited for a parser */
export const sourceFromFile = (path: string): Promise<SourceBytes> =>
  openFile(path).catch((error) => {
    throw error.code === 'ENOENT' ? fileMissingError() : error;
  });
