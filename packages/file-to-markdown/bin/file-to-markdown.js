#!/usr/bin/env node
import { runFileToMarkdown } from '../dist/src/command.js';

// As SIGPIPE ends other programs: `head`, for one, reads no more than it needs.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(141);
  throw error;
});

process.exitCode = await runFileToMarkdown('file-to-markdown', process.argv.slice(2));
