import type { Request } from 'express';
import { appRouter } from '../../routers/index.js';

const TRPC = '/trpc/';
const procedures = new Set(Object.keys(appRouter._def.procedures));

/**
 * What a request was answered by, of which there are few: a documented path such as `/admin/api/v1/documents/{documentId}`, a
 * procedure such as `/trpc/documents.list`, `/trpc/batch` for several, or `none`. To be asked after routing.
 */
export function routeOf({ route, originalUrl }: Request): string {
  if (originalUrl.startsWith(TRPC)) return trpcRoute(originalUrl);
  return typeof route?.path === 'string' ? route.path.replace(/:(\w+)/g, '{$1}') : 'none';
}

function trpcRoute(url: string): string {
  const names = url.slice(TRPC.length).split('?', 1)[0] as string;
  if (/,|%2c/i.test(names)) return `${TRPC}batch`;
  return procedures.has(names) ? `${TRPC}${names}` : 'none';
}
