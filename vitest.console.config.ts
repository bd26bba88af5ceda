import { defineConfig } from 'vitest/config';
import { withDatabase } from './vitest.config.js';

/** The console in a browser: what `npm run build` made, on the real server. */
export default defineConfig({
  test: { ...withDatabase, include: ['test/console/*.test.ts'], maxWorkers: 2 },
});
