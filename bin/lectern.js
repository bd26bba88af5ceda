#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A file of its own, which is there and executable also before a build.
const program = new URL('../dist/program/lectern.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('lectern has not been built yet. Build it with: npm run build\n');
  process.exitCode = 1;
}
