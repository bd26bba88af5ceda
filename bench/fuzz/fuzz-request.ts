import type { SampleOptions } from './sample-schema.js';

export interface FuzzRequest {
  /** The operation, for the report. */
  name: string;
  method: string;
  route: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

export type MakeRequest = (options: SampleOptions) => FuzzRequest;
