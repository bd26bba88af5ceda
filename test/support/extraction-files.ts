import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { ServerSettings } from '../../src/ingestion/extraction/extraction-settings.js';

/** Files for engines, in a folder that is removed after the tests. */
export function useExtractionFiles() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-extraction-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (fileName: string, mediaType: string, bytes: string | Uint8Array) => {
    const file = path.join(folder, Buffer.from(fileName).toString('base64url'));
    writeFileSync(file, bytes);
    return { path: file, size: Buffer.byteLength(bytes), mediaType, fileName };
  };
}

/** Limits that no test reaches by chance. */
export const extractionLimits: Omit<ServerSettings, 'api' | 'url' | 'apiKey'> = {
  languages: [],
  timeoutMs: 60_000,
  concurrency: 4,
  maxFileBytes: 1_000_000,
};
