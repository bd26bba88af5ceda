import { z } from 'zod';
import { withPlainTlsMode } from '../database-url.js';
import { group } from './group.js';
import { connections, seconds } from './shapes.js';

/** What a process does: answer requests, work in the background, or both. */
const roles = ['api', 'worker', 'all'] as const;

/** PostgreSQL and the role of the process. */
export const database = group({
  title: 'Database and role of the process',
  note: 'Connections are opened on demand. One tenant gets at most 70 % of the connections for requests and searches. With the defaults, four processes fit into the 100 connections that PostgreSQL allows by default.',
  variables: {
    DATA_DIR: z
      .string()
      .min(1)
      .default('./data')
      .describe(
        'Folder of uploaded files and of the embedded database. It is created with mode 0700, or 0711 by root.',
      ),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
      .refine(
        isDatabaseUrl,
        'must be a valid URL; other characters in user and password than letters, digits, - and _ are written as %40 for @, %23 for #, %2F for /',
      )
      .transform(withPlainTlsMode)
      .optional()
      .meta({
        description:
          'An external PostgreSQL, 15 or newer. Percent-encode characters such as @ in user and password. The user must be allowed to create tables.',
        fallback: 'an embedded PostgreSQL in DATA_DIR',
        examples: ['postgres://lectern:secret@localhost:5432/lectern'],
      }),
    ROLE: z
      .enum(roles)
      .default('all')
      .describe(
        'api: answers requests. worker: processes documents, sends webhooks, indexes and sweeps. all: both. The roles api and worker need DATABASE_URL.',
      ),
    DATABASE_REQUEST_CONNECTIONS: connections(2)
      .default(10)
      .describe('Maximum connections of this process for requests.'),
    DATABASE_SEARCH_CONNECTIONS: connections(1)
      .default(8)
      .describe('Maximum connections of this process for searches.'),
    DATABASE_BACKGROUND_CONNECTIONS: connections(2)
      .default(5)
      .describe('Maximum connections of this process for background work, which uses one more.'),
    DATABASE_CONNECTION_TIMEOUT_SECONDS: seconds
      .default(5)
      .describe('Longest wait for a connection. Beyond it: 503.'),
    DATABASE_STATEMENT_TIMEOUT_SECONDS: seconds
      .default(30)
      .describe('Longest time for a statement of a request. Beyond it: 503, and nothing is written.'),
    DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS: seconds
      .default(30)
      .describe(
        'Longest pause between two statements of a transaction. Beyond it: 503, and nothing is written.',
      ),
    DATABASE_BACKGROUND_STATEMENT_TIMEOUT_SECONDS: seconds
      .default(300)
      .describe('Longest time for a statement of background work. Beyond it, Lectern retries the work.'),
  },
});

/** A # or / in a password ends the host, whose name is then the user's, and the port no number. */
function isDatabaseUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { password, hash, pathname } = new URL(url);
  try {
    decodeURIComponent(password);
  } catch {
    return false;
  }
  return hash === '' && !pathname.includes('@');
}
