import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;
/** Limits of Standard Webhooks. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** A secret that signs events. */
export const createWebhookSecret = () => PREFIX + randomBytes(BYTES).toString('base64');

/** Whether a secret is valid under Standard Webhooks. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES && key.toString('base64') === encoded;
}
