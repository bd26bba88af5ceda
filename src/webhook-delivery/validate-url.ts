import net from 'node:net';
import type { Allowlist } from '../outbound-http/allowlist.js';
import { isPublicAddress } from '../outbound-http/public-address.js';

/** Validates a webhook URL; returns the problem, or undefined. */
export type ValidateWebhookUrl = (url: string) => string | undefined;

/**
 * SSRF check of the URL itself. Resolved addresses are checked when connecting.
 *
 * @param allow hosts that may be private or plain http
 */
export const createWebhookUrlValidator =
  (allow: Allowlist): ValidateWebhookUrl =>
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an https URL';
    if (url.username || url.password) {
      return 'must not hold a user name or password; events are signed, which tells that they are genuine';
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    if (allow.allowsHost(host, port) || allow.allowsAddress(host)) return undefined;
    if (LOCAL_NAME.test(host) || (net.isIP(host) && !isPublicAddress(host))) {
      return `must be on the public Internet, which ${host} is not; the operator can allow it with FETCH_ALLOW_HOSTS`;
    }
    return url.protocol === 'http:' ? 'must begin with https://' : undefined;
  };

const LOCAL_NAME = /(^|\.)localhost\.?$/;
