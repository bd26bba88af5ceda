import type pg from 'pg';

/** Rows that belong to processes and servers of their time, made such that those of today take over. */
const ADJUSTMENTS = [
  // Documents under way begin again; nobody died with them.
  'update processing_jobs set lease_owner = null, lease_expires_time = null where lease_owner is not null',
  // Deliveries under way are sent again: consumers know their ids.
  `update webhook_deliveries set claim = null, next_attempt_time = created_time
   where claim is not null and next_attempt_time is not null`,
  // No index is one of this state: the next server fills it anew.
  `update search_index set generation = 0, checkpoint = 0, filling = true, filled_to = null, rebuild = null,
     synced_time = null, error = null, error_time = null`,
];

/** In the transaction that has loaded the rows. */
export async function adjustRows(
  client: pg.Client,
  { disableWebhooks }: { disableWebhooks: boolean },
): Promise<void> {
  for (const statement of ADJUSTMENTS) await client.query(statement);
  if (disableWebhooks) await client.query('update webhook_subscriptions set enabled = false');
}
