import { configDefaults, defineConfig } from 'vitest/config';
import base from './vitest.config.js';

/** Clients that are generated from openapi.json. Their tools are fetched from the package registries. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/clients/*.test.ts'],
    exclude: configDefaults.exclude,
    testTimeout: 300_000,
  },
});
