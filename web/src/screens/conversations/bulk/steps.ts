import { readFailure } from '../../../api/errors';
import type { Scope } from '../../../api/scope';
import { client, type Inputs, type Outputs } from '../../../api/trpc';
import { type Conditions, type ListedConversation, refOf } from '../search-params';

/** What a change is made of: conversations of a page, or all that the filters match. */
export type Target =
  | { conversations: readonly ListedConversation[] }
  | { scope: Scope; filter: Conditions; count: number };
export type Change = Inputs['conversations']['bulk']['change'];
type Before = Outputs['conversations']['bulk']['changed'][number]['before'];

export interface Changed {
  ref: Inputs['conversations']['get'];
  /** After the change. */
  version: number;
  before: Before;
}

export interface Step {
  /** Conversations that were looked at. */
  looked: number;
  changed: Changed[];
  /** Conversations that stayed as they were, and could not be changed. */
  skipped: number;
  /** In the words of the server, if it gave a reason. */
  why?: string | undefined;
}

/** Conversations of a step: each is one transaction. */
const STEP = 100;
/** Calls of one request. */
const CALLS = 20;

export const countOf = (target: Target): number =>
  'count' in target ? target.count : target.conversations.length;

/** Makes a change, step by step; who stops asking stops it. */
export const changeInSteps = (target: Target, change: Change): AsyncGenerator<Step> =>
  'count' in target ? changeMatching(target, change) : changeOneByOne(target.conversations, change);

async function* changeMatching(
  { scope, filter }: Extract<Target, { count: number }>,
  change: Change,
): AsyncGenerator<Step> {
  for (let after: string | undefined, isMore = true; isMore; ) {
    const step = await client.conversations.bulk.mutate({ scope, filter, change, after, limit: STEP });
    yield {
      looked: STEP,
      changed: step.changed.map(({ conversationId, version, before }) => ({
        ref: { scope, conversationId },
        version,
        before,
      })),
      skipped: step.skipped.length,
    };
    after = step.next ?? undefined;
    isMore = step.next !== null;
  }
}

/** No filter names some conversations of a page. */
async function* changeOneByOne(
  conversations: readonly ListedConversation[],
  change: Change,
): AsyncGenerator<Step> {
  yield* callInSteps(
    conversations.map((conversation) => async () => {
      const { version } = await changeOne(refOf(conversation), change);
      const isChanged = version > conversation.version;
      return isChanged ? { ref: refOf(conversation), version, before: conversation } : undefined;
    }),
  );
}

/** Gives conversations back what they had, unless somebody has changed them since. */
export async function* undoInSteps(changed: readonly Changed[], change: Change): AsyncGenerator<Step> {
  yield* callInSteps(
    changed.map((one) => async () => {
      await changeOne(one.ref, changeBack(one.before, change), one.version);
      return one;
    }),
  );
}

async function* callInSteps(calls: (() => Promise<Changed | undefined>)[]): AsyncGenerator<Step> {
  for (let start = 0; start < calls.length; start += CALLS) {
    const results = await Promise.allSettled(calls.slice(start, start + CALLS).map((call) => call()));
    const failed = results.flatMap((one) => (one.status === 'rejected' ? [readFailure(one.reason)] : []));
    yield {
      looked: results.length,
      changed: results.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : [])),
      skipped: failed.length,
      why: failed[0]?.sentences[0],
    };
  }
}

/** @param expectedVersion any, if undefined */
async function changeOne(
  ref: Changed['ref'],
  change: Change,
  expectedVersion?: number,
): Promise<{ version: number }> {
  const { setStatus, update, setLabels } = client.conversations;
  switch (change.action) {
    case 'setStatus':
      return setStatus.mutate({ ...ref, status: change.status, expectedVersion });
    case 'assign':
      return update.mutate({ ...ref, assignmentId: change.assignmentId, expectedVersion });
    case 'setLabels':
      return setLabels.mutate({ ...ref, add: change.add, remove: change.remove, expectedVersion });
    case 'delete':
      throw new Error('Single conversations are deleted with a time to undo it.');
  }
}

function changeBack({ status, assignmentId, labels }: Before, change: Change): Change {
  switch (change.action) {
    case 'setStatus':
      return { action: 'setStatus', status };
    case 'assign':
      return { action: 'assign', assignmentId };
    case 'setLabels':
      return {
        action: 'setLabels',
        add: change.remove?.filter((id) => labels.includes(id)),
        remove: change.add?.filter((id) => !labels.includes(id)),
      };
    case 'delete':
      throw new Error('A deletion cannot be undone.');
  }
}
