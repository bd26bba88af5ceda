import { TRPCError } from '@trpc/server';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Api, MAX_WAIT_SECONDS } from '../routers/index.js';
import { requestError } from './request-errors.js';
import { apiKeyHeader } from './shared.schema.js';

const MAX_PREFER_LENGTH = 1_000;

type Written = Omit<Parameters<Api['documents']['waitUntilSearchable']>[0], 'seconds'>;

/** Waits until the change is searchable, if requested by `Prefer: wait`. */
export type WaitUntilSearchable = (written: Written) => Promise<void>;

/** Headers of endpoints with `Prefer: wait`. */
export const waitHeaders = {
  requestHeaders: apiKeyHeader.extend({
    Prefer: z
      .string()
      .max(MAX_PREFER_LENGTH)
      .optional()
      .describe(
        '`wait=N` (RFC 7240): delays the answer until the change is searchable, or for N seconds, at most ' +
          `${MAX_WAIT_SECONDS}; status and body stay the same`,
      )
      .meta({ examples: ['wait=10'] }),
  }),
  responseHeaders: z.object({
    'Preference-Applied': z
      .string()
      .optional()
      .describe(
        'Where the request prefers to wait: how long at most, and whether the change is searchable now',
      )
      .meta({ examples: ['wait=10, searchable=true'] }),
  }),
};

/** @throws a request error (422) if the header is too long */
export function createSearchableWait(req: Request, res: Response, api: Api): WaitUntilSearchable {
  const prefer = req.get('prefer') ?? '';
  if (prefer.length > MAX_PREFER_LENGTH) {
    const message = `must be at most ${MAX_PREFER_LENGTH} characters long`;
    throw requestError('header.invalid', message, ['header', 'Prefer']);
  }
  const seconds = parsePreferWait(prefer);
  return async (written) => {
    if (seconds === undefined) return;
    const { searchable } = await api.documents
      .waitUntilSearchable({ ...written, seconds })
      .catch(toNotSearchable);
    res.set('Preference-Applied', `wait=${seconds}, searchable=${searchable}`);
  };
}

/** The write succeeded, even if the record is gone or its status is unknown. */
function toNotSearchable(error: unknown): { searchable: boolean } {
  if (error instanceof TRPCError && ['NOT_FOUND', 'SERVICE_UNAVAILABLE'].includes(error.code)) {
    return { searchable: false };
  }
  throw error;
}

/** Preferences are comma-separated; quoted strings may contain commas. */
const PREFERENCES = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^,])+/g;
const IS_WAIT = /^\s*wait\s*(?:[=;]|$)/i;
const WAIT_SECONDS = /^\s*wait\s*=\s*("?)(\d+)\1\s*(?:;|$)/i;

/** The `wait` preference in seconds, capped; undefined if absent or invalid. */
export function parsePreferWait(prefer: string): number | undefined {
  // The first of duplicate preferences applies (RFC 7240).
  const wait = prefer.match(PREFERENCES)?.find((one) => IS_WAIT.test(one));
  const [, , seconds] = wait?.match(WAIT_SECONDS) ?? [];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}
