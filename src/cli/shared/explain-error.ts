import { ClusterError } from '../../../db/cluster/cluster.js';
import { EncodingError } from '../../../db/encoding.js';
import { NewerDatabaseError } from '../../../db/migration-record.js';
import { UnfinishedRestoreError } from '../../../db/restore-marker.js';
import { ConfigError } from '../../config/config.js';
import { DomainError, isOutage } from '../../errors/errors.js';
import { explainFileError } from './explain-file-error.js';
import { isTlsRefused, TLS_ADVICE } from './explain-tls.js';
import { UsageError } from './usage-error.js';

/** What a person can act on: errors made for people by their message alone, others with their origin. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isForPeople(error)) return error.message;
  if (error instanceof AggregateError) return [...new Set(error.errors.map(explainError))].join('\n');
  const fileError = explainFileError(error);
  if (fileError) return fileError;
  if (isTlsRefused(error))
    return `PostgreSQL offers no TLS (${error.message}), and DATABASE_URL asks for it. ${TLS_ADVICE}`;
  const { code = '' } = error as { code?: string };
  const advice = Object.entries(ADVICE).find(([codes]) => codes.split('|').includes(code))?.[1];
  if (advice) return advice(error.message);
  if (isOutage(error))
    return `The connection to the database was lost (${error.message}). Start again once it is back.`;
  return error.stack ?? error.message;
}

/** Codes of the network and of PostgreSQL, and what to say. */
const ADVICE: Record<string, (message: string) => string> = {
  ECONNREFUSED: (message) =>
    `The database cannot be reached (${message}). Check host and port in DATABASE_URL, and that the server runs.`,
  'ENOTFOUND|EAI_AGAIN': (message) => `The host in DATABASE_URL has no address (${message}). ${ENCODING}`,
  '28P01|28000': (message) =>
    `The database refuses the user (${message}). Check user and password in DATABASE_URL, and pg_hba.conf of the server. ${ENCODING}`,
  '3D000': (message) =>
    `${sentence(message)} Make it with: createdb --owner=USER --encoding=UTF8 --template=template0 NAME, or name another one in DATABASE_URL.`,
  '42501': (message) =>
    `The user of DATABASE_URL lacks a right (${message}). It needs to own the database, or the right to create in the schema public: grant create on schema public to USER`,
  '53300': (message) =>
    `The database has no free connection (${message}). Raise max_connections of the server, or end what uses them; DATABASE_REQUEST_CONNECTIONS, DATABASE_SEARCH_CONNECTIONS and DATABASE_BACKGROUND_CONNECTIONS bound what a process takes.`,
  // Raised by a migration, with what to do.
  P0001: (message) => message,
  // PostgreSQL knows no such table, column or function.
  '42P01|42703|42883': (message) =>
    `The database lacks what this version needs (${message}). Run: lectern migrate`,
};

const ENCODING =
  'Characters of user and password that mean something in a URL must be percent-encoded: %40 for @, %23 for #, %2F for /.';

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`;

const isForPeople = (error: Error): boolean =>
  error instanceof ConfigError ||
  error instanceof UsageError ||
  error instanceof DomainError ||
  error instanceof NewerDatabaseError ||
  error instanceof UnfinishedRestoreError ||
  error instanceof ClusterError ||
  error instanceof EncodingError ||
  error.name.startsWith('Embedded');
