import type { Calls } from '../load/calls.js';
import { readConversation } from '../load/conversations.js';
import { tryKey } from '../load/keys.js';
import { readDocument } from '../load/read-document.js';
import type { Traffic } from '../load/traffic.js';
import { documentKey, type Model } from '../model/model.js';
import type { Sql } from './database.js';

export interface EndStates {
  ready: number;
  failed: Record<string, number>;
  deleted: number;
  /** Never answered, and never done. */
  neverMade: number;
}

interface Row {
  tenantId: string;
  id: string;
  name: string;
  status: string;
  code: string | null;
  datasetIds: string[];
}

interface Reader {
  model: Model;
  /** By tenant. */
  callsOf: Map<string, Calls>;
  traffic: Traffic;
  sql: Sql;
}

/** Compares every document, conversation and key with what the clients know. Faults go into the model. */
export async function checkRecords({ model, callsOf, traffic, sql }: Reader): Promise<EndStates> {
  const rows = await readRows(sql);
  for (const row of rows.values()) {
    if (!model.documents.has(documentKey(row))) model.faults.push(`${row.name} was never asked for`);
  }
  const states: EndStates = { ready: 0, failed: {}, deleted: 0, neverMade: 0 };
  for (const document of model.documents.values()) {
    const row = rows.get(documentKey(document));
    if (!row) {
      const wasThere = document.exists.value;
      if (!document.exists.see(false)) model.faults.push(`${document.name} was acknowledged and is gone`);
      states[document.id === undefined && !wasThere ? 'neverMade' : 'deleted']++;
      continue;
    }
    document.id ??= row.id;
    if (row.status === 'ready') states.ready++;
    else if (row.status === 'failed')
      states.failed[row.code ?? 'unknown'] = (states.failed[row.code ?? 'unknown'] ?? 0) + 1;
    else model.faults.push(`${document.name} is ${row.status} in the end`);
    if (!document.datasets.see(row.datasetIds)) {
      model.faults.push(`${document.name} is in the datasets ${row.datasetIds}`);
    }
    const calls = callsOf.get(document.tenantId);
    if (calls) await readDocument({ calls, model }, document);
  }
  for (const conversation of model.conversations) {
    const calls = callsOf.get(conversation.tenantId);
    if (calls) await readConversation({ calls, model }, conversation);
  }
  for (const key of model.keys) {
    if (!(await tryKey({ traffic, model }, key))) model.faults.push(`the key ${key.id} could not be tried`);
  }
  return states;
}

async function readRows(sql: Sql): Promise<Map<string, Row>> {
  const rows = await sql.select<Row>(`
    select tenant_id as "tenantId", id, document_name as name, status, error->>'code' as code,
      dataset_ids as "datasetIds"
    from documents where tenant_id <> 'calm'`);
  return new Map(rows.map((row) => [documentKey(row), row]));
}
