import { type Kysely, sql } from 'kysely';

/** Documents of the external search index have the text, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table search_index
      -- Format of the documents of the live index.
      add column format integer not null default 1,
      -- Of the custom properties that documents of the index have.
      add column property_names text[] not null default '{}',
      -- Hashes of ids in the index are made with it: whoever reads one cannot guess the id.
      add column hash_secret text not null default replace(gen_random_uuid()::text, '-', '');
  `.execute(db);
}
