import type { Storage } from '@google-cloud/storage';

export interface GcsOptions {
  /** Idle timeout in milliseconds. */
  idleMs?: number;
}

export const GCS_IDLE_MS = 20_000;
/** Few retries: a client waits for an upload, and documents are retried anyway. */
const RETRIES = { maxRetries: 2, maxRetryDelay: 1, totalTimeout: 30 };

/**
 * A client for Google Cloud Storage. Credentials come from where Google's tools always take them: the file that
 * GOOGLE_APPLICATION_CREDENTIALS names, or the machine's account. The SDK is loaded with the first client.
 */
export async function createGcsClient({ idleMs = GCS_IDLE_MS }: GcsOptions): Promise<Storage> {
  const { Storage } = await import('@google-cloud/storage');
  return new Storage({ timeout: idleMs, retryOptions: RETRIES });
}
