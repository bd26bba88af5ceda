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

/** Conversations that are gone from the screen, and what deletes each at once. */
let pending: ReadonlyMap<string, () => void> = new Map();
const listeners = new Set<() => void>();

/** The ids of conversations that nobody is shown, because they are about to be deleted. */
export const usePendingDeletions = (): ReadonlyMap<string, unknown> =>
  useSyncExternalStore(subscribe, () => pending);

/** Deletes a conversation when the toast that can take it back is gone, or the page is. */
export function deleteWithUndo(ref: Inputs['conversations']['delete'], texts: DeletionTexts): void {
  const { conversationId } = ref;
  if (pending.has(conversationId)) return;
  const send = () => void deleteNow(ref, texts);
  const closeToast = showToast({
    text: texts.pending,
    action: { label: texts.undo, run: () => forget(conversationId) },
    onEnd: send,
  });
  const sendEarly = () => {
    closeToast();
    send();
  };
  setPending(new Map(pending).set(conversationId, sendEarly));
}

async function deleteNow(ref: Inputs['conversations']['delete'], texts: DeletionTexts): Promise<void> {
  try {
    await leavingClient.conversations.delete.mutate(ref);
  } catch (error) {
    const { status, sentences } = readFailure(error);
    const isGone = status === 404;
    if (!isGone)
      showToast({ text: texts.failed(status === undefined ? undefined : sentences[0]), tone: 'bad' });
  }
  await queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
  forget(ref.conversationId);
}

function forget(conversationId: string): void {
  setPending(new Map([...pending].filter(([id]) => id !== conversationId)));
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
  for (const sendEarly of pending.values()) sendEarly();
});
