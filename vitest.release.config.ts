import { defineConfig } from 'vitest/config';
import { withDatabase } from './vitest.config.js';

/** Writes the dump of this version, which later versions are tested with. */
export default defineConfig({
  test: { ...withDatabase, include: ['test/releases/write-dump.ts'] },
});
