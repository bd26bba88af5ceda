import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readFailure } from '../../../api/errors';
import { queryClient, trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { type OneDocument, refOf, useRefreshDocument } from '../use-document';
import { type Chunk, keywordsOf } from './use-chunks';

const PRECONDITION_FAILED = 412;
const NOT_FOUND = 404;

/** The text and keywords of a chunk while somebody edits them, and what became of the chunk meanwhile. */
export function useChunkEditor(document: OneDocument, opened: Chunk, onSaved: () => void) {
  const t = useMessages(messages);
  const refresh = useRefreshDocument();
  /** As it is on the server, as far as is known. */
  const [chunk, setChunk] = useState(opened);
  const [content, setContent] = useState(opened.content);
  const [keywords, setKeywords] = useState(keywordsOf(opened).join(', '));
  /** What somebody else has made of it. */
  const [theirs, setTheirs] = useState<Chunk>();
  const ref = { ...refOf(document), chunkId: chunk.id, expectedVersion: chunk.version };
  const options = (done: string) => ({
    onSuccess: () => {
      showToast({ text: done });
      void refresh();
      onSaved();
    },
    onError: (error: unknown) => {
      if (readFailure(error).status === PRECONDITION_FAILED) void readTheirs();
    },
  });
  const update = useMutation(trpc.chunks.update.mutationOptions(options(t.done.saved)));
  const restore = useMutation(trpc.chunks.restore.mutationOptions(options(t.done.restored)));

  async function readTheirs(): Promise<void> {
    const input = { ...refOf(document), around: chunk.id, pageSize: 1 };
    // Nothing else says what has happened, so it is tried again.
    const page = await queryClient.fetchQuery(trpc.chunks.list.queryOptions(input, { retry: 3 }));
    setTheirs(page.items.find(({ id }) => id === chunk.id));
  }

  const words = readKeywords(keywords);
  const isTextChanged = content !== chunk.content;
  const areKeywordsChanged = words.join('\n') !== keywordsOf(chunk).join('\n');
  const error = update.error ?? restore.error;
  const isOvertaken = readFailure(error).status === PRECONDITION_FAILED;
  return {
    chunk,
    content,
    setContent,
    keywords,
    setKeywords,
    isChanged: isTextChanged || areKeywordsChanged,
    isSaving: update.isPending || restore.isPending,
    /** Where nothing but the call itself went wrong. */
    error: isOvertaken ? null : error,
    isGone: readFailure(error).status === NOT_FOUND,
    theirs: isOvertaken ? theirs : undefined,
    save: () =>
      update.mutate({
        ...ref,
        ...(isTextChanged && { content }),
        ...(areKeywordsChanged && { keywords: words }),
      }),
    restore: () => restore.mutate(ref),
    /** What is typed is kept, and compared with theirs from now on. */
    keepMine: () => accept(theirs),
    takeTheirs: () => {
      if (!theirs) return;
      setContent(theirs.content);
      setKeywords(keywordsOf(theirs).join(', '));
      accept(theirs);
    },
  };

  function accept(current: Chunk | undefined): void {
    if (!current) return;
    setChunk(current);
    setTheirs(undefined);
    update.reset();
    restore.reset();
    void refresh();
  }
}

const readKeywords = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，\n]/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
];
