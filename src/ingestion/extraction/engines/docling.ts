import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { pollUntil } from '../../../async/poll-until.js';
import { EndpointError } from '../../../model-endpoint/endpoint-error.js';
import { multipartBody } from '../../../model-endpoint/request-body.js';
import type { ExtractedText, ExtractionEngine, FileToExtract } from '../extraction-engine.js';
import type { ServerSettings } from '../extraction-settings.js';
import { askForStatus, askForText, refused } from './ask-engine.js';
import { boundText, splitPages } from './bound-text.js';
import { readJson } from './read-json.js';

/** Those that all versions of the API v1 read. */
const MEDIA_TYPES = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/html',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/bmp',
  'image/webp',
]);

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

const task = z.object({
  task_id: z.string().regex(/^[\w-]{1,100}$/),
  task_status: z.string(),
  failure: z.object({ retryable: z.boolean(), message: z.string().optional() }).nullish(),
  error_message: z.string().nullish(),
});
type Task = z.output<typeof task>;

const result = z.object({
  status: z.string(),
  document: z.object({ md_content: z.string().nullish() }),
});
const health = z.object({ status: z.literal('ok') });
const versions = z.object({ 'docling-serve': z.string() });

type DoclingSettings = Extract<ServerSettings, { api: 'docling' | 'tika' | 'http' }>;

/**
 * docling-serve, by its API v1. Every file is a task that is polled. The synchronous form waits for a task, too: it looks at
 * it every two seconds, gives up after two minutes while the task goes on, and sends no byte meanwhile, which proxies take
 * for a dead connection.
 */
export function createDoclingEngine({
  url,
  apiKey,
  languages,
  timeoutMs,
}: DoclingSettings): ExtractionEngine {
  const base = url.replace(/\/(v1\/?)?$/, '');
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  return {
    name: 'docling',
    version: ['docling', ...languages].join(' '),
    accepts: (mediaType) => MEDIA_TYPES.has(mediaType),
    extract,
    check,
  };

  async function extract(file: FileToExtract, signal: AbortSignal): Promise<ExtractedText> {
    // Nobody who writes a document can write this into it.
    const pageBreak = `<!-- page-break-${randomUUID()} -->`;
    const taskId = await submit(file, pageBreak, signal);
    const { text } = await askForText({
      method: 'GET',
      url: base,
      path: `v1/result/${taskId}`,
      headers,
      signal,
    });
    const { status, document } = await readJson(result, text);
    if (status !== 'success')
      throw refused(status === 'partial_success' ? PARTIAL : 'docling-serve cannot convert it');
    return boundText('text/markdown', splitPages(document.md_content ?? '', pageBreak));
  }

  /** @returns the id of a task that has a result */
  async function submit(file: FileToExtract, pageBreak: string, signal: AbortSignal): Promise<string> {
    const { contentType, ...body } = multipartBody(formFor(pageBreak), { ...file, field: 'files' });
    const { text } = await askForStatus({
      method: 'POST',
      url: base,
      path: 'v1/convert/file/async',
      headers: { ...headers, 'content-type': contentType },
      body,
      signal,
    });
    let last = await readJson(task, text);
    const { task_id: taskId } = last;
    const hasEnded = async () => {
      last = await poll(taskId, signal);
      return !isUnderWay(last);
    };
    const pauses = { firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, stopping: signal };
    if (isUnderWay(last) && !(await pollUntil(hasEnded, pauses)))
      throw new EndpointError('extraction', 'timed-out', 'docling-serve did not convert the file in time.');
    assertConverted(last);
    return taskId;
  }

  function formFor(pageBreak: string): [string, string][] {
    return [
      ['to_formats', 'md'],
      ['do_ocr', 'true'],
      ['image_export_mode', 'placeholder'],
      ['include_images', 'false'],
      ['md_page_break_placeholder', pageBreak],
      // Nobody waits for it any longer.
      ['document_timeout', String(timeoutMs / 1000)],
      // What it is by default depends on the server.
      ['target_type', 'inbody'],
      // Without the prefix, these are names of its OCR engine, each of which has other ones.
      ...languages.map((tag): [string, string] => ['ocr_lang', `iso:${tag}`]),
    ];
  }

  async function poll(taskId: string, signal: AbortSignal): Promise<Task> {
    try {
      const path = `v1/status/poll/${taskId}`;
      return await readJson(
        task,
        (await askForStatus({ method: 'GET', url: base, path, headers, signal })).text,
      );
    } catch (error) {
      if (!(error instanceof EndpointError) || error.details.status !== 404) throw error;
      throw new EndpointError('extraction', 'unavailable', LOST, error.details);
    }
  }

  async function check(signal: AbortSignal): Promise<string> {
    const get = (path: string, isAnswer?: (status: number) => boolean) =>
      askForStatus({ method: 'GET', url: base, path, headers, signal, ...(isAnswer && { isAnswer }) });
    await readJson(health, (await get('health')).text);
    // The key is not asked for there, but here, where no such task is.
    await get('v1/status/poll/00000000-0000-0000-0000-000000000000', (status) => status === 404);
    // Operators may hide it.
    const { status, text } = await get('version', (status) => status === 200 || status === 403);
    const version = status === 200 ? (await readJson(versions, text))['docling-serve'].slice(0, 20) : '';
    return `docling-serve ${version}`.trim();
  }
}

const LOST =
  'docling-serve does not know its own task any more: it was started again, or several servers behind one address do not share their tasks.';

const isUnderWay = ({ task_status: status }: Task): boolean => status === 'pending' || status === 'started';

/** Half of a file must not pass for all of it: Lectern reads what an engine refuses. */
const PARTIAL = 'docling-serve converted some of its pages alone';

function assertConverted({ task_status: status, failure, error_message: message }: Task): void {
  if (status === 'success') return;
  if (status === 'partial_success') throw refused(PARTIAL);
  const said = (failure?.message ?? message ?? '').slice(0, 300);
  if (failure?.retryable)
    throw new EndpointError('extraction', 'unavailable', 'docling-serve failed, and may not fail again.', {
      said,
    });
  throw refused('docling-serve cannot convert it', said);
}
