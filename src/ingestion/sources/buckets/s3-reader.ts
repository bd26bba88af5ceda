import type { Readable } from 'node:stream';
import { lazy } from '../../../storage/lazy.js';
import { createS3Client, type S3Options } from '../../../storage/s3-client.js';
import type { ObjectErrorReason, ObjectReader } from './object-reader.js';
import { isTimeout } from './object-reader.js';

const ERROR_REASONS: Record<string, ObjectErrorReason> = {
  NoSuchBucket: 'no_bucket',
  InvalidBucketName: 'no_bucket',
  NoSuchKey: 'no_object',
  InvalidObjectState: 'archived',
  CredentialsProviderError: 'no_credentials',
  ExpiredToken: 'denied',
  AuthorizationHeaderMalformed: 'denied',
};

/** Opens objects of S3 and compatible stores. */
export function createS3Reader(options: S3Options = {}): ObjectReader {
  const client = lazy(() => createS3Client(options));
  return {
    displayName: 'S3',
    credentialsHint: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role',

    async open({ bucket, path }, { etag, signal }) {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3');
      const command = new GetObjectCommand({ Bucket: bucket, Key: path, ...(etag && { IfNoneMatch: etag }) });
      const opened = await client();
      const answer = await opened.send(command, signal ? { abortSignal: signal } : {}).catch((error) => {
        if (statusOf(error) === 304) return undefined;
        throw error;
      });
      return (
        answer && {
          body: answer.Body as Readable,
          size: answer.ContentLength,
          mediaType: answer.ContentType,
          lastModified: answer.LastModified,
          etag: answer.ETag,
        }
      );
    },

    classifyError(error) {
      const reason = ERROR_REASONS[(error as Error).name];
      if (reason) return reason;
      if (isTimeout(error)) return 'timeout';
      const status = statusOf(error);
      if (status === 404) return 'no_object';
      return status === 401 || status === 403 ? 'denied' : 'unreachable';
    },
  };
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
