import { useSyncExternalStore } from 'react';
import { readFailure } from '../../api/errors';
import { leavingClient } from '../../api/leaving-client';
import { type Inputs, queryClient, trpc } from '../../api/trpc';
import { showToast } from '../../ui/toast';

interface DeletionTexts {
  pending: string;
  undo: string;
  /** @param why in the words of the server, if it has answered */
  failed: (why: string | undefined) => string;
}

/** Conversations that are gone from the screen, and what deletes each at once, with those of the same toast. */
let pending: ReadonlyMap<string, () => void> = new Map();
const listeners = new Set<() => void>();

/** The ids of conversations that nobody is shown, because they are about to be deleted. */
export const usePendingDeletions = (): ReadonlyMap<string, unknown> =>
  useSyncExternalStore(subscribe, () => pending);

type Ref = Inputs['conversations']['delete'];

/** Deletes conversations when the toast that can take it back is gone, or the page is. */
export function deleteWithUndo(refs: readonly Ref[], texts: DeletionTexts): void {
  const added = refs.filter(({ conversationId }) => !pending.has(conversationId));
  if (added.length === 0) return;
  const send = () => void deleteNow(added, texts);
  const closeToast = showToast({
    text: texts.pending,
    action: { label: texts.undo, run: () => forget(added) },
    onEnd: send,
  });
  const sendEarly = () => {
    closeToast();
    send();
  };
  setPending(
    new Map([...pending, ...added.map(({ conversationId }) => [conversationId, sendEarly] as const)]),
  );
}

async function deleteNow(refs: readonly Ref[], texts: DeletionTexts): Promise<void> {
  const results = await Promise.allSettled(refs.map((ref) => leavingClient.conversations.delete.mutate(ref)));
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [readFailure(one.reason)] : []));
  // One that is gone already is no failure.
  const [failure] = failures.filter(({ status }) => status !== 404);
  if (failure) {
    const { status, sentences } = failure;
    showToast({ text: texts.failed(status === undefined ? undefined : sentences[0]), tone: 'bad' });
  }
  await queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
  forget(refs);
}

function forget(refs: readonly Ref[]): void {
  const ids = new Set(refs.map(({ conversationId }) => conversationId));
  setPending(new Map([...pending].filter(([id]) => !ids.has(id))));
}

function setPending(deletions: ReadonlyMap<string, () => void>): void {
  pending = deletions;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

window.addEventListener('pagehide', () => {
  for (const sendEarly of new Set(pending.values())) sendEarly();
});
