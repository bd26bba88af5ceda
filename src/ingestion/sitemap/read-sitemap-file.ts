import { rm } from 'node:fs/promises';
import { makeFolder, PRIVATE } from '../../../db/folders.js';
import { invalid, unavailable } from '../../errors/errors.js';
import { FetchError } from '../../outbound-http/fetch-error.js';
import { fetchUrl } from '../../outbound-http/fetch-url.js';
import { IngestionError } from '../ingestion-error.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { writeTempFile } from '../sources/temp-file.js';
import type { PageBatch, SitemapLimits, SitemapResult, SitemapTask } from './protocol.js';
import { MAX_FILE_BYTES, SITEMAP_FILE_LIMITS } from './sandbox-limits.js';

const FILE_TIMEOUT_MS = 30_000;

export type SitemapSandbox = Sandbox<SitemapTask, SitemapResult>;

export interface ReadSitemapFileDependencies {
  /** Web hosts that may be private on purpose. */
  allowHosts: string[];
  /** Directory of temporary files. */
  tempDir: string;
  sandbox: SitemapSandbox;
}

/**
 * Downloads one file of a sitemap and parses it in the sandbox.
 *
 * @param onPages receives pages while the file is read; to be discarded if this throws
 * @throws DomainError `invalid` about `sitemap`; `unavailable` where reading it failed here; the reason of
 * `signal`
 */
export async function readSitemapFile(
  url: string,
  options: SitemapLimits & {
    signal: AbortSignal;
    onPages: (batch: PageBatch) => void;
  },
  { allowHosts, tempDir, sandbox }: ReadSitemapFileDependencies,
): Promise<SitemapResult> {
  const { signal, onPages, ...sitemapLimits } = options;
  const { path, size } = await fetchFile(url, { allowHosts, tempDir, signal });
  try {
    return await sandbox.run(
      { path, size, limits: SITEMAP_FILE_LIMITS, sitemapLimits },
      { signal, onProgress: () => {}, onBatch: async (json) => onPages(JSON.parse(json) as PageBatch) },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof IngestionError) throw toDomainError(url, error);
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

async function fetchFile(
  url: string,
  { allowHosts, tempDir, signal }: { allowHosts: string[]; tempDir: string; signal: AbortSignal },
): Promise<{ path: string; size: number }> {
  await makeFolder(tempDir, PRIVATE);
  try {
    const limits = { maxBytes: MAX_FILE_BYTES, timeoutMs: FILE_TIMEOUT_MS };
    const { body } = await fetchUrl(url, { ...limits, allowHosts, signal });
    return await writeTempFile(body, { tempDir, maxBytes: MAX_FILE_BYTES, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchError)) throw error;
    const message = `The sitemap ${url} could not be fetched. ${error.message}`;
    throw error.retryable ? sitemapUnavailableError(message) : invalid(message, ['sitemap']);
  }
}

/** An unavailable web site is a client error, so that it raises no alarm for operators. */
export const sitemapUnavailableError = (message: string) =>
  invalid(message, ['sitemap'], 'value_error.sitemap_unavailable');

/** Phrases for error codes whose own message does not fit. */
const ERROR_PHRASES: Record<string, string> = {
  timeout: 'takes too long to read',
  out_of_memory: 'takes too much memory to read',
};

function toDomainError(url: string, error: IngestionError): Error {
  const { code, message, retryable } = error;
  if (retryable) return unavailable(`The file ${url} could not be read; try again later.`, error);
  const problem = code === 'parser_crashed' ? 'cannot be read' : (ERROR_PHRASES[code] ?? message);
  return invalid(`The file ${url} ${problem}.`, ['sitemap']);
}
