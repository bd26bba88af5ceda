import { readFailure } from '../../api/errors';
import { leavingClient } from '../../api/leaving-client';
import { type Inputs, queryClient, trpc } from '../../api/trpc';
import { createStore } from '../../ui/store';
import { showToast } from '../../ui/toast';

interface DeletionTexts {
  pending: string;
  undo: string;
  /** @param why in the words of the server, if it has answered */
  failed: (why: string | undefined) => string;
}

/** Conversations that are gone from the screen, and what deletes each at once, with those of the same toast. */
const pending = createStore<ReadonlyMap<string, () => void>>(new Map());

/** The ids of conversations that nobody is shown, because they are about to be deleted. */
export const usePendingDeletions: () => ReadonlyMap<string, unknown> = pending.use;

type Ref = Inputs['conversations']['delete'];

/** Deletes conversations when the toast that can take it back is gone, or the page is. */
export function deleteWithUndo(refs: readonly Ref[], texts: DeletionTexts): void {
  const added = refs.filter(({ conversationId }) => !pending.get().has(conversationId));
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
  pending.set(
    new Map([...pending.get(), ...added.map(({ conversationId }) => [conversationId, sendEarly] as const)]),
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
  pending.set(new Map([...pending.get()].filter(([id]) => !ids.has(id))));
}

window.addEventListener('pagehide', () => {
  for (const sendEarly of new Set(pending.get().values())) sendEarly();
});
