import { z } from 'zod';
import { memberRoles } from '../../../db/enums.js';
import { apiKey } from '../api-keys/api-keys.schema.js';
import { searchEngine, searchMode } from '../search/search.schema.js';
import { nullableText, storedValue } from '../shared/fields.schema.js';
import { tenantUnitRef } from '../shared/tenant-scope.js';

/** What a front end has to know of the server. */
const serverInfo = z.object({
  version: z.string(),
  maxUploadBytes: z.int(),
  maxJsonBytes: z.int(),
  maxPageSize: z.int(),
  /** Of documents without wishes of their own. */
  chunking: z.object({ size: z.int(), overlap: z.int() }),
  /** What reads scans and pictures; null where nothing does. */
  extraction: z.object({ engine: z.string() }).nullable(),
  search: z.object({
    engine: searchEngine,
    /** Of searches that do not say. */
    mode: searchMode,
    /** Whether chunks are found by meaning, too. */
    meaning: z.boolean(),
    reranking: z.boolean(),
  }),
  /** Of conversations that are created without. */
  defaultTenantUnit: tenantUnitRef,
});
export type ServerInfo = z.output<typeof serverInfo>;

const reach = {
  scopes: true,
  tenantId: true,
  tenantUnitIds: true,
  datasetIds: true,
  expiresTime: true,
} as const;

export const sessionInfo = z.object({
  /** Whether callers need an API key. */
  mode: z.enum(['open', 'required']),
  /** Null in open mode, and where a user calls. */
  key: apiKey.pick({ ...reach, id: true, name: true }).nullable(),
  /** Only with a token, or for a person whom a provider has signed in: who it is, and what it may do. */
  user: apiKey
    .pick(reach)
    .extend({
      id: z.string(),
      name: nullableText,
      email: nullableText,
      issuer: z.string(),
      /** As a member of the tenant; null where only claims permit something. */
      role: storedValue(memberRoles).nullable(),
    })
    .optional(),
  /** When the session ends unless it is used before; null without a session. */
  expiresTime: z.date().nullable(),
  server: serverInfo,
});
export type SessionInfo = z.output<typeof sessionInfo>;

export const endedSession = z.object({
  /** Where to sign out at the provider, too; null where it offers that not, or an API key has signed in. */
  endSessionUrl: z.string().nullable(),
});
export type EndedSession = z.output<typeof endedSession>;
