import { sql } from 'kysely';
import { eraseAuditEvents } from './erase-audit-events.js';
import { eraseConversations } from './erase-conversations.js';
import { eraseIdempotentResults, IDEMPOTENT_CALLER } from './erase-idempotent-results.js';
import { eraseMembers } from './erase-members.js';
import { eraseFeedback, eraseMessages } from './erase-messages.js';
import { eraseNames, type Names } from './erase-names.js';
import type { Place } from './place.js';

const AUTHORS = ['created_by', 'updated_by'];
const ROWS = 1_000;

const columns = (...names: string[]) => names.map((name) => sql.ref(`t.${name}`));

/** A table that names users without being about them. */
const named = (table: string, names: Names): Place => ({
  name: table,
  table,
  key: ['id'],
  rows: ROWS,
  users: columns(...names.columns),
  erase: (rows) => eraseNames(rows, table, names),
});

/** Everywhere that the ids of users are. The audit log comes last, as the others write to it. */
export const places: readonly [Place, ...Place[]] = [
  {
    name: 'conversations',
    table: 'conversations',
    key: ['id'],
    rows: 200,
    users: columns(
      'user_id',
      'assignment_id',
      ...AUTHORS,
      'created_by_name',
      'updated_by_name',
      'legal_hold_by',
    ),
    erase: eraseConversations,
  },
  {
    name: 'messages',
    table: 'messages',
    key: ['id'],
    rows: ROWS,
    users: columns('user_id', 'feedback_by', ...AUTHORS),
    erase: async (rows) => {
      const own = await eraseMessages(rows);
      const feedback = await eraseFeedback(rows);
      const { erased } = await eraseNames(rows, 'messages', {
        columns: AUTHORS,
        conversationId: 'conversation_id',
      });
      return { erased: { ...own.erased, ...feedback.erased, ...erased }, held: own.held };
    },
  },
  named('conversation_reviews', {
    columns: ['reviewed_by'],
    text: 'note',
    conversationId: 'conversation_id',
  }),
  named('conversation_status_changes', { columns: ['changed_by'], conversationId: 'conversation_id' }),
  named('labels', { columns: AUTHORS }),
  named('retention_rules', { columns: AUTHORS }),
  {
    name: 'members',
    table: 'members',
    key: ['id'],
    rows: ROWS,
    users: columns('user_id', 'updated_by'),
    erase: eraseMembers,
  },
  {
    name: 'user_sessions',
    table: 'user_sessions',
    key: ['id'],
    rows: ROWS,
    users: columns('user_id'),
    erase: async ({ tx, userId, isOne }) => {
      await sql`delete from user_sessions as t where ${isOne} and t.user_id = ${userId}`.execute(tx);
      return { erased: {} };
    },
  },
  named('documents', { columns: AUTHORS }),
  named('search_synonyms', { columns: AUTHORS }),
  named('api_keys', { columns: ['created_by'] }),
  named('webhook_subscriptions', { columns: ['created_by'] }),
  named('user_erasures', { columns: ['created_by'] }),
  {
    name: 'list_counters',
    table: 'list_counters',
    key: ['id'],
    rows: ROWS,
    users: columns('assignment_id'),
    // One that is asked for again is counted anew.
    erase: async ({ tx, userId, isOne }) => {
      await sql`delete from list_counters as t where ${isOne} and t.assignment_id = ${userId}`.execute(tx);
      return { erased: {} };
    },
  },
  {
    name: 'idempotency_keys',
    table: 'idempotency_keys',
    key: ['caller', 'key'],
    // Results may be large.
    rows: 100,
    users: [IDEMPOTENT_CALLER],
    erase: eraseIdempotentResults,
  },
  {
    name: 'audit_events',
    table: 'audit_events',
    key: ['id'],
    rows: ROWS,
    users: columns('user_id'),
    erase: eraseAuditEvents,
  },
];
