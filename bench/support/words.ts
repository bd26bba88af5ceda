import { type RawBuilder, sql } from 'kysely';

/**
 * Words are syllables that end with their only vowel, and a last consonant with which no syllable begins: so no two are
 * spelled alike, no two words joined make a third, and the stemmer leaves them as they are.
 */
const SYLLABLES =
  'ba bo bru da du fa fo fra ga go gra gu ja jo la lo lu na no nu ra ro sa stu ta tro tu va vo za zo zu'.split(
    ' ',
  );
const LAST = ['k', 'm', 'p'];
const BASE = SYLLABLES.length;

/** The word of an invented language with this rank, from 1. Those of low rank are short. */
export function spell(rank: number): string {
  let word = '';
  for (let left = rank; left > 0; left = Math.floor(left / BASE)) word += SYLLABLES[left % BASE];
  return word + LAST[rank % LAST.length];
}

/** The same in SQL, for ranks below a million. */
export function spellInSql(rank: RawBuilder<unknown>): RawBuilder<string> {
  const parts = [1, BASE, BASE ** 2, BASE ** 3].map(
    (unit) => sql`case when ${rank} >= ${sql.lit(unit)}
      then (${SYLLABLES}::text[])[1 + ${rank} / ${sql.lit(unit)} % ${sql.lit(BASE)}] else '' end`,
  );
  const last = sql`(${LAST}::text[])[1 + ${rank} % ${sql.lit(LAST.length)}]`;
  return sql`(${sql.join([...parts, last], sql` || `)})`;
}
