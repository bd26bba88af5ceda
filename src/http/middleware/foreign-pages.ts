import { forbidden } from '../../errors/errors.js';
import { isFromForeignPage, isRead } from '../request/page-origin.js';
import type { Guard } from './auth.js';

/**
 * Guard of open mode, where any page that somebody visits reaches a server on their machine: only those of the server and
 * of the allowed origins may write. CORS does not stop forms, such as uploads.
 */
export const refuseForeignPages = (corsOrigins: string[]): Guard => {
  const allowed = new Set(corsOrigins);
  return (req) => {
    if (isRead(req) || allowed.has('*') || allowed.has(req.get('origin') ?? '')) return;
    if (isFromForeignPage(req))
      throw forbidden('Pages of other origins may write only if CORS_ORIGINS names them.');
  };
};
