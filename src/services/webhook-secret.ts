import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;
/** What the convention allows. */
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;

/** A secret that signs events. */
export const createWebhookSecret = () => PREFIX + randomBytes(BYTES).toString('base64');

/** Whether a secret that a caller brings fits the Standard Webhooks convention. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  return key.length >= FEWEST_BYTES && key.length <= MOST_BYTES && key.toString('base64') === encoded;
}
