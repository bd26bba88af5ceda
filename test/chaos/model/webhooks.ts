import type { Register } from './register.js';

/** What is known of a webhook. */
export interface WebhookModel {
  /** The last part of its address. */
  name: string;
  tenantId: string;
  /** Undefined until its creation is answered. */
  id: string | undefined;
  /** Every secret that it may have been given. */
  secrets: string[];
  exists: Register<boolean>;
  /** Was there before everything else, and stays: it must be sent every event. */
  isLasting: boolean;
}
