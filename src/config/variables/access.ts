import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseAllowedHost } from '../../auth/host-names.js';
import { authIssuers } from './auth-issuers.js';
import { group } from './group.js';
import { list, port, serverUrl } from './shapes.js';

/** Where the server listens, and whom it answers. */
export const access = group({
  title: 'Address and access',
  variables: {
    PORT: port.default(8080).describe('Port of the API and the console. 0 takes any free port.'),
    HOST: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('Address to listen on. On an address that others can reach, AUTH_MODE must be set.'),
    AUTH_MODE: z
      .enum(['open', 'required'])
      .optional()
      .meta({
        description:
          'required: clients need API keys (lectern keys --help). open: everybody who can reach the address can do everything.',
        fallback: 'open if HOST is a loopback address; otherwise the server does not start',
        examples: ['required'],
      }),
    AUTH_ISSUERS: authIssuers.meta({
      description:
        'OpenID Connect providers whose tokens authenticate, too, and by which people sign in to the console, as JSON: one or a list. Needs AUTH_MODE=required, and with a clientId PUBLIC_URL. The guides to tokens and to signing in describe the fields.',
      fallback: 'clients need API keys',
      examples: ['{"issuer":"https://id.example","audience":"lectern","tenants":["acme"]}'],
    }),
    TRUST_PROXY: z
      .string()
      .default('0')
      .transform((hops) =>
        /^\d{1,2}$/.test(hops) ? Number(hops) : hops.split(',').map((entry) => entry.trim()),
      )
      .refine(
        (proxies) => typeof proxies === 'number' || proxies.every(isProxy),
        'must be a number of proxies, or a list of their addresses and ranges with commas between them',
      )
      .describe(
        'Proxies whose X-Forwarded-For is trusted, so that rate limits and the audit log see the address of the client.',
      ),
    ALLOWED_HOSTS: list
      .refine(
        (hosts) => hosts.every((host) => parseAllowedHost(host) !== undefined),
        'must be a list of host names such as lectern.example, or lectern.example:8080 for one port, with commas between them',
      )
      .describe(
        'Host names that the server answers to, besides IP addresses and localhost. Requests for other names get 421; with API keys, only if this is set.',
      ),
    PUBLIC_URL: serverUrl
      .refine(hasNoPath, 'must be an address without a path, such as https://lectern.example')
      .transform((url) => (url && URL.canParse(url) ? new URL(url).origin : undefined))
      .meta({
        description:
          'Where people reach the server. Links in answers of MCP begin with it, pages of its origin may call MCP, and with AUTH_ISSUERS clients of MCP get tokens for it. Providers send people who sign in to the console back to it.',
        fallback: 'links are paths such as /documents/42',
        examples: ['https://lectern.example'],
      }),
    CORS_ORIGINS: list
      .refine(
        (origins) => origins.every((origin) => origin === '*' || isWebOrigin(origin)),
        'must be * or a list of origins such as https://console.example, with commas between them',
      )
      .describe(
        'Other origins whose web pages may call the API (CORS). Without API keys, pages of all other origins cannot write.',
      ),
  },
  note: 'In open mode, the server refuses requests for unknown host names. This prevents attacks by web pages that make their own name resolve to the server (DNS rebinding). Behind a proxy, both Host and X-Forwarded-Host must be allowed. /healthz and /readyz answer under any name.',
});

const isWebOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** What is no URL has been refused already. */
function hasNoPath(url: string | undefined): boolean {
  if (!url || !URL.canParse(url)) return true;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash === '/';
}

const isProxy = (entry: string): boolean => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
