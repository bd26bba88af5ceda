import { createHmac } from 'node:crypto';

/** Before the Base64 of the key. */
const SECRET_PREFIX = 'whsec_';

export interface SignedContent {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  /** Exactly what is sent. */
  body: string;
}

/**
 * The value of `webhook-signature` by the Standard Webhooks convention: a signature for each secret, so that
 * consumers can rotate secrets.
 */
export const signWebhook = (secrets: string[], { id, timestamp, body }: SignedContent): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
