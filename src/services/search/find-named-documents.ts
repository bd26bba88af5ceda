import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkSuggestion, Suggestions } from './suggest.schema.js';

type NamedDocument = Suggestions['documents'][number];

/** Words at the end of a question with which a name is looked for. */
const MAX_WORDS = 4;
/** Letters of an end that is not all of the question. */
const MIN_LENGTH = 3;
/** Names read for one end in one dataset: of enabled documents. What is in other datasets changes nothing. */
const MAX_READ = 100;
/** Units with their datasets in which names are looked for, of those asked for. */
const MAX_PLACES = 1_000;
/** A document is found once for each of its datasets and ends. */
const MAX_FOUND = 1_000;
/** Follows all characters. */
const AFTER_ALL = '\u{10ffff}';

/**
 * Finds the enabled documents whose name or title has the end of a question from the beginning of a word on; those that
 * have more of it come first. Of many units and datasets it looks into some only.
 */
export async function findNamedDocuments(
  db: Database,
  { scope: { tenantId, tenantUnitId }, datasetIds, text, limit }: ChunkSuggestion,
): Promise<NamedDocument[]> {
  const ends = endsOf(text);
  // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
  const { rows } = await sql<NamedDocument>`
    select d.id, d.document_name as name, d.title
    from unnest(${ends}::text[]) with ordinality as asked (words, place)
    cross join lateral (select fold_name(asked.words) as words offset 0) as folded
    cross join (
      select unit, dataset from unnest(${[tenantUnitId].flat()}::text[]) as u (unit)
      cross join unnest(${datasetIds}::text[]) as s (dataset) limit ${sql.lit(MAX_PLACES)}) as p
    cross join lateral (
      select document_id from document_names
      where tenant_id = ${tenantId} and tenant_unit_id = p.unit and dataset_id = p.dataset and folded.words <> ''
        and name_end >= folded.words and name_end < folded.words || ${AFTER_ALL}
      order by name_end, document_id limit ${sql.lit(MAX_READ)}) as n
    cross join lateral (
      select id, document_name, title from documents
      where tenant_id = ${tenantId} and id = n.document_id and tenant_unit_id = p.unit and enabled limit 1) as d
    limit ${Math.min(MAX_FOUND, MAX_WORDS * limit * datasetIds.length)}
  `.execute(db);
  return [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, limit);
}

/** All of a question, and its last words, the longest first. */
function endsOf(text: string): string[] {
  const words = text.trim().split(/\s+/).slice(-MAX_WORDS);
  const ends = words.map((_, place) => words.slice(place).join(' '));
  return ends.filter((end) => end.length >= MIN_LENGTH || end === text.trim());
}
