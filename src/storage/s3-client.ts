import type { S3Client } from '@aws-sdk/client-s3';
import { collectAnswer, withDeadlines } from './s3-answers.js';

export interface S3Options {
  /** Endpoint of an S3-compatible server. */
  endpoint?: string | undefined;
  /** Idle timeout in milliseconds. */
  idleMs?: number;
  /** For a whole answer, or the head of an object; in milliseconds. */
  deadlineMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 20_000;
/** Both attempts to send a part of 8 MiB take less with 2 Mbit/s. */
const DEADLINE_MS = 120_000;
/** One more after a failure: a client waits for an upload, and documents are retried anyway. */
const MAX_ATTEMPTS = 2;
/** Any region works: Amazon redirects to the right one, other servers ignore it. */
const DEFAULT_REGION = 'us-east-1';

/**
 * A client for S3 and what is compatible with it. Credentials and region come from where the AWS SDK and tools
 * always take them: the environment, the shared configuration files, the machine's role. The SDK is loaded with the
 * first client.
 */
export async function createS3Client({
  endpoint,
  idleMs = IDLE_TIMEOUT_MS,
  deadlineMs = DEADLINE_MS,
}: S3Options): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const open = (region?: string) => {
    const client = new S3Client({
      ...(region && { region }),
      // Bucket names as host names need a DNS that few other servers have.
      ...(endpoint && { endpoint, forcePathStyle: true }),
      followRegionRedirects: true,
      maxAttempts: MAX_ATTEMPTS,
      // Many compatible servers do not know the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: idleMs },
      streamCollector: collectAnswer,
    });
    return withDeadlines(client, deadlineMs);
  };
  const client = open();
  return client.config.region().then(
    () => client,
    () => open(DEFAULT_REGION),
  );
}
