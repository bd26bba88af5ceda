import { defineConfig } from 'vitest/config';
import { withDatabase } from './vitest.config.js';

/** What others install or generate, which comes from the package registries: the tarball, front ends, clients. */
export default defineConfig({
  test: { ...withDatabase, include: ['test/clients/*.test.ts'] },
});
