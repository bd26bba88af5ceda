#!/usr/bin/env node
import { runFileToMarkdown } from '../dist/src/command.js';

process.exitCode = await runFileToMarkdown('file-to-markdown', process.argv.slice(2));
