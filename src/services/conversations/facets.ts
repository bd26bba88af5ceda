import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { toConditions } from '../shared/lists/list-filter.js';
import { selectPageRows } from '../shared/lists/page-keys.js';
import { unitsOf } from '../shared/tenant-scope.js';
import type { ConversationFacets, ConversationFacetsFilter } from './conversations.schema.js';

/** The latest conversations, which are counted: as many as take some hundredths of a second. */
const MAX_COUNTED = 10_000;
/** Values of a facet. */
const MAX_VALUES = 50;

interface FacetRow {
  facet: 'agent' | 'assignment' | 'all';
  value: string;
  count: number;
}

/** What the latest conversations can be filtered by, the most frequent first. */
export function createConversationFacets({ db }: { db: Database }) {
  return async ({ scope }: ConversationFacetsFilter): Promise<ConversationFacets> => {
    const filter = toConditions({
      list: 'conversations',
      tenantId: scope.tenantId,
      tenantUnitIds: unitsOf(scope),
    });
    const latest = selectPageRows(filter, { direction: 'desc', offset: 0, limit: MAX_COUNTED });
    const { rows } = await sql<FacetRow>`
      with latest as materialized (select entry.agent_id, entry.assignment_id from (${latest}) as entry)
      (select 'agent' as facet, agent_id as value, count(*)::int as count
        from latest group by agent_id order by count desc, value limit ${MAX_VALUES})
      union all
      (select 'assignment', assignment_id, count(*)::int as count
        from latest where assignment_id is not null
        group by assignment_id order by count desc, assignment_id limit ${MAX_VALUES})
      union all
      select 'all', '', count(*)::int from latest`.execute(db);
    const of = (facet: FacetRow['facet']) => rows.filter((row) => row.facet === facet);
    const counted = of('all')[0]?.count ?? 0;
    return {
      agents: of('agent').map(({ value: agentId, count }) => ({ agentId, count })),
      assignments: of('assignment').map(({ value: assignmentId, count }) => ({ assignmentId, count })),
      counted,
      truncated: counted === MAX_COUNTED,
    };
  };
}
