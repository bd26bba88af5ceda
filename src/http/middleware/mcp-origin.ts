import { parseHost } from '../../auth/host-names.js';
import { forbidden } from '../../errors/errors.js';
import { hostsOf } from '../request/named-hosts.js';
import { hasOwnOrigin } from '../request/page-origin.js';
import { allowsHost } from './allowed-hosts.js';
import type { Guard } from './auth.js';

interface ValidOrigins {
  corsOrigins: string[];
  allowedHosts: string[];
  publicUrl: string | undefined;
}

/**
 * Guard of MCP, whose specification wants it: a page may call only from an allowed origin, from that of the public address,
 * or from one of the server's own under a host that is its own for certain. Other clients than browsers send no Origin.
 */
export function requireValidOrigin({ corsOrigins, allowedHosts, publicUrl }: ValidOrigins): Guard {
  const allowed = new Set([...corsOrigins, ...(publicUrl ? [new URL(publicUrl).origin] : [])]);
  const isOwnHost = allowsHost(allowedHosts);
  return (req) => {
    const origin = req.get('origin');
    if (origin === undefined || allowed.has('*') || allowed.has(origin)) return;
    const hosts = hostsOf(req).map(({ text }) => parseHost(text));
    if (hasOwnOrigin(req) && hosts.every((host) => host && isOwnHost(host))) return;
    throw forbidden(
      'Pages of this origin may not call the server: neither CORS_ORIGINS nor PUBLIC_URL names it.',
    );
  };
}
