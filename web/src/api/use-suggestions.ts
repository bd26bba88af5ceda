import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSettled } from '../ui/use-settled';
import { usePermission } from './permission-gate';
import { useScope } from './scope';
import { alone, type Inputs, trpc } from './trpc';

/** Longer ones are no questions that somebody types. */
const MAX_LENGTH = 300;
const MAX_DATASETS = 100;
const STALE_MS = 30_000;

/**
 * What the server suggests for a text that is being typed in some datasets. Another text cancels the request for the one
 * before. Undefined while nothing is known, and where nothing can be suggested.
 */
export function useSuggestions(
  typed: string,
  datasetIds: string[],
  language?: Inputs['chunks']['suggest']['language'],
) {
  const { tenantId, tenantUnitId } = useScope();
  const isPermitted = usePermission('search') === true;
  const [initial] = useState(typed);
  const text = useSettled(typed);
  const isAsked =
    isPermitted &&
    tenantUnitId !== undefined &&
    datasetIds.length > 0 &&
    text !== initial &&
    text.trim() !== '';
  const { data } = useQuery(
    trpc.chunks.suggest.queryOptions(
      isAsked && text.length <= MAX_LENGTH
        ? { scope: { tenantId, tenantUnitId }, datasetIds: datasetIds.slice(0, MAX_DATASETS), text, language }
        : skipToken,
      {
        staleTime: STALE_MS,
        retry: false,
        placeholderData: keepPreviousData,
        trpc: { abortOnUnmount: true, context: alone },
      },
    ),
  );
  return isAsked ? data : undefined;
}
