import type pg from 'pg';

/** A table that exists from the beginning of a restore to its end. */
export const RESTORE_MARKER = 'restore_in_progress';

/** The database holds a part of a backup. */
export class UnfinishedRestoreError extends Error {
  override readonly name = 'UnfinishedRestoreError';

  constructor() {
    super('A restore into this database was interrupted. Run it again: lectern restore FOLDER');
  }
}

/** Whether a restore is under way, or has not come to its end. */
export async function isBeingRestored(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query('select to_regclass($1) is not null as found', [RESTORE_MARKER]);
  return rows[0].found;
}
