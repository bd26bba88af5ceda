import { type RawBuilder, sql } from 'kysely';

/** Each ends with its only vowel, so that no two words are spelled alike; the stemmer removes none of them. */
const SYLLABLES =
  'ba bo bru da du fa fo gu ka kro ku la lo lu ma mo mu na nu pa plo ra ro sa stu ta tro tu va vo za zu'.split(
    ' ',
  );
const BASE = SYLLABLES.length;

/** The word of an invented language with this rank, from 1. Those of low rank are short. */
export function spell(rank: number): string {
  let word = '';
  for (let left = rank; left > 0; left = Math.floor(left / BASE)) word += SYLLABLES[left % BASE];
  return word;
}

/** The same in SQL, for ranks below a million. */
export function spellInSql(rank: RawBuilder<unknown>): RawBuilder<string> {
  const parts = [1, BASE, BASE ** 2, BASE ** 3].map(
    (unit) => sql`case when ${rank} >= ${sql.lit(unit)}
      then (${SYLLABLES}::text[])[1 + ${rank} / ${sql.lit(unit)} % ${sql.lit(BASE)}] else '' end`,
  );
  return sql`(${sql.join(parts, sql` || `)})`;
}
