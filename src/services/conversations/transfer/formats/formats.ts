import type { ExportFormat } from '../transfer.schema.js';
import { csv } from './csv.js';
import type { TranscriptFormat } from './format.js';
import { html } from './html.js';
import { markdown } from './markdown.js';
import { ndjson } from './ndjson.js';

export const formats: Record<ExportFormat, TranscriptFormat> = { ndjson, csv, markdown, html };
