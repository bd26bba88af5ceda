/** The client for programs and front ends: `import { createLectern } from 'lectern/client'`. */
export type { ErrorDetail } from '../errors/error-body.js';
export type { AppRouter } from '../routers/app-router.js';
export { createLectern, type Lectern, type LecternOptions } from './create-lectern.js';
export { type Failure, readFailure } from './failure.js';
export type { AddFileOptions, NewFileDocument, UploadOptions } from './files.js';
export type { RetryPolicy } from './retrying-fetch.js';
export type { FileContent, UploadProgress } from './send-file.js';
