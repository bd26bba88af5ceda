import { useState } from 'react';
import type { LabSearch } from './search-params';
import { type Question, useQuestions } from './use-evaluations';

/** A chunk that the question should find. */
export interface Expected {
  documentId: string;
  chunkId: string;
  name: string;
  /** The beginning of its text: a document has several. */
  excerpt: string;
  grade: number;
}

/** Who marks a chunk means that it answers. */
const BEST_GRADE = 3;

/** The chunks that are expected of the question in the address: as saved, until they are changed here. */
export function useExpected(search: LabSearch) {
  const about = JSON.stringify([search.q, search.datasets, search.question]);
  const [edited, setEdited] = useState<{ about: string; expected: Expected[] }>();
  const questions = useQuestions(search.question && search.collection);
  const saved = questions.data?.find(({ id }) => id === search.question);
  const expected = edited?.about === about ? edited.expected : savedExpected(saved);
  const set = (changed: Expected[]) => setEdited({ about, expected: changed });
  const without = (chunkId: string) => expected.filter((one) => one.chunkId !== chunkId);
  return {
    expected,
    saved,
    /** Those that were saved, and are no longer there. */
    gone: saved?.expected.filter(({ state }) => state === 'gone').length ?? 0,
    gradeOf: (chunkId: string) => expected.find((one) => one.chunkId === chunkId)?.grade,
    add: (one: Omit<Expected, 'grade'>) => set([...without(one.chunkId), { ...one, grade: BEST_GRADE }]),
    remove: (chunkId: string) => set(without(chunkId)),
    grade: (chunkId: string, grade: number) =>
      set(expected.map((one) => (one.chunkId === chunkId ? { ...one, grade } : one))),
  };
}

const savedExpected = (saved: Question | undefined): Expected[] =>
  (saved?.expected ?? [])
    .filter(({ state }) => state !== 'gone')
    .map(({ documentId, chunkId, documentName, excerpt, grade }) => ({
      documentId,
      chunkId,
      grade,
      name: documentName || documentId,
      excerpt: excerpt ?? '',
    }));
