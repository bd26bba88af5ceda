import { once } from 'node:events';
import { type Request, type Response, Router } from 'express';
import { invalid } from '../errors/errors.js';
import { methodNotAllowedHandler } from '../rest-facade/error-handler.js';
import type { Api } from '../routers/index.js';
import type { LogError } from './request/log-error.js';

const PATH = '/exports/conversations';

interface ServeExportOptions {
  createApi: (req: Request, res: Response) => { api: Api; signal: AbortSignal };
  /** Fires when the server is about to stop. */
  stopping: AbortSignal;
  reportError: LogError;
}

const FILES = {
  ndjson: { type: 'application/x-ndjson', name: 'conversations.ndjson' },
  csv: { type: 'text/csv; charset=utf-8; header=present', name: 'conversations.csv' },
  markdown: { type: 'text/markdown; charset=utf-8', name: 'conversations.md' },
  html: { type: 'text/html; charset=utf-8', name: 'conversations.html' },
};

/** Sends all parts of an export as one file. The input is that of `conversations.export`, as in its tRPC query. */
export function serveExport({ createApi, stopping, reportError }: ServeExportOptions): Router {
  const routes = Router({ caseSensitive: true });
  routes.get(PATH, async (req, res) => {
    const { api, signal } = createApi(req, res);
    const input = readInput(req) as Parameters<Api['conversations']['export']>[0];
    let page = await api.conversations.export(input);
    const { type, name } = FILES[input.format ?? 'ndjson'];
    res.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
    if (req.method === 'HEAD') return void res.end();
    try {
      for (;;) {
        // The next part is read when the client has read this one.
        if (!res.write(page.text)) await once(res, 'drain', { signal });
        if (!page.next) return void res.end();
        signal.throwIfAborted();
        stopping.throwIfAborted();
        page = await api.conversations.export({ ...input, after: page.next });
      }
    } catch (error) {
      if (!signal.aborted && !stopping.aborted) reportError(error, res);
      // Without its end, the answer counts as broken.
      res.destroy();
    }
  });
  routes.all(PATH, methodNotAllowedHandler(['GET']));
  return routes;
}

function readInput(req: Request): unknown {
  const [, query = ''] = req.url.split('?', 2);
  try {
    return JSON.parse(new URLSearchParams(query).get('input') ?? '');
  } catch {
    throw invalid('must be JSON', ['input'], 'json_invalid');
  }
}
