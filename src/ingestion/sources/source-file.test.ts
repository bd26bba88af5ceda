import { expect, it } from 'vitest';
import { toDocumentFailure } from '../ingestion-error.js';
import { sourceFromFile } from './source-file.js';

it('calls a file that has gone missing, which is no unexpected failure', async () => {
  const error = await sourceFromFile('/nowhere/at-all').catch((one) => one);
  expect(toDocumentFailure(error, 'parsing')).toEqual({
    code: 'file_missing',
    stage: 'parsing',
    retryable: false,
    message: 'The uploaded file is no longer in storage; upload it again.',
  });
});
