import type pg from 'pg';

/** A database whose encoding cannot hold all texts. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/**
 * Asked before the first migration: what is stored in another encoding cannot be moved into UTF8 later.
 *
 * @throws EncodingError
 */
export async function assertUtf8(session: pg.Client): Promise<void> {
  const { rows } = await session.query(
    `select current_setting('server_encoding') as encoding, current_database() as name`,
  );
  const { encoding, name } = rows[0];
  if (encoding === 'UTF8') return;
  throw new EncodingError(
    `The database ${name} has the encoding ${encoding}, which cannot hold all texts. ` +
      'Make another one with: createdb --owner=USER --encoding=UTF8 --template=template0 NAME, and name it in DATABASE_URL.',
  );
}
