import type { Register } from './register.js';

/** What is known of an API key. */
export interface KeyModel {
  id: string;
  key: string;
  tenantId: string;
  works: Register<boolean>;
}
