#!/usr/bin/env node
import { runEmbeddedPostgres } from '../dist/src/command.js';

process.exitCode = await runEmbeddedPostgres(process.argv.slice(2));
