import type { Selectable } from 'kysely';
import type { ConversationTable, DocumentTable, ListChangeTable } from '../../db/schema.js';

/**
 * How many entries of a kind a list has more; or fewer, if negative. `fromTime` and `toTime` are the earliest creation of
 * these entries and the latest, in milliseconds, as the service writes them.
 */
export type ListChange = Omit<Selectable<ListChangeTable>, 'id'>;

/** An entry of a list, by what lists are filtered by. */
type ListEntry = Omit<ListChange, 'fromTime' | 'toTime' | 'count'> & { createdTime: Date };

export type ListedDocument = Pick<Selectable<DocumentTable>, (typeof listedDocumentColumns)[number]>;

/** The columns by which documents are counted. */
export const listedDocumentColumns = [
  'tenantId',
  'tenantUnitId',
  'status',
  'documentType',
  'datasetIds',
  'createdTime',
] as const;

/** The columns by which conversations are counted. */
export const listedConversationColumns = [
  'tenantId',
  'tenantUnitId',
  'status',
  'agentId',
  'assignmentId',
  'createdTime',
] as const;

type ListedConversation = Pick<Selectable<ConversationTable>, (typeof listedConversationColumns)[number]>;

interface Difference<Row> {
  /** Rows as they were, of what is changed or deleted. */
  before?: readonly Row[];
  /** Rows as they are, of what is changed or new. */
  after?: readonly Row[];
  /** Counts those of a kind together, whenever they were made: for so many that each in a change of its own is too much. */
  isOfManyTimes?: boolean;
}

/** What a write of documents changes in lists: nothing, where they stay the same but for columns that are not counted. */
export const documentListChanges = (given: Difference<ListedDocument>): ListChange[] =>
  difference(given, toDocumentEntry);

/** What a write of conversations changes in lists. */
export const conversationListChanges = (given: Difference<ListedConversation>): ListChange[] =>
  difference(given, toConversationEntry);

const toDocumentEntry = (row: ListedDocument): ListEntry => ({
  tenantId: row.tenantId,
  list: 'documents',
  tenantUnitId: row.tenantUnitId,
  status: row.status,
  agentId: null,
  assignmentId: null,
  documentType: row.documentType,
  datasetIds: row.datasetIds,
  createdTime: row.createdTime,
});

const toConversationEntry = (row: ListedConversation): ListEntry => ({
  tenantId: row.tenantId,
  list: 'conversations',
  tenantUnitId: row.tenantUnitId,
  status: row.status,
  agentId: row.agentId,
  assignmentId: row.assignmentId,
  documentType: null,
  datasetIds: null,
  createdTime: row.createdTime,
});

function difference<Row>(
  { before = [], after = [], isOfManyTimes = false }: Difference<Row>,
  toEntry: (row: Row) => ListEntry,
): ListChange[] {
  const changes = new Map<string, ListChange>();
  const count = (row: Row, by: number) => {
    const { createdTime: time, ...kind } = toEntry(row);
    const key = JSON.stringify([kind, isOfManyTimes || time]);
    const change = changes.get(key) ?? { ...kind, fromTime: time, toTime: time, count: 0 };
    if (time < change.fromTime) change.fromTime = time;
    if (time > change.toTime) change.toTime = time;
    change.count += by;
    changes.set(key, change);
  };
  for (const row of before) count(row, -1);
  for (const row of after) count(row, 1);
  return [...changes.values()].filter(({ count: by }) => by !== 0);
}
