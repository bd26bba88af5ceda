import { type Dictionary, useFormat, useMessages } from '../language/language';
import { useDatasets } from './reach';
import { useScope } from './scope';

const plural = new Intl.PluralRules('en');
const en = {
  documents: (count: string, rule: number, isLowerBound: boolean) =>
    `${isLowerBound ? 'more than ' : ''}${count} ${plural.select(rule) === 'one' ? 'document' : 'documents'}`,
};
const zh: typeof en = {
  documents: (count, _, isLowerBound) => `${isLowerBound ? '超过 ' : ''}${count} 个文档`,
};
const messages: Dictionary<typeof en> = { en, zh };

/**
 * The datasets of the scope that fit what is typed, with how many documents they have.
 *
 * @param unit where it is not the one of the scope
 */
export function useDatasetSuggestions(typed: string, unit?: string) {
  const t = useMessages(messages);
  const format = useFormat();
  const { tenantId, tenantUnitId } = useScope();
  const { datasets, refresh } = useDatasets({ tenantId, tenantUnitId: unit || tenantUnitId }, typed);
  const suggestions = datasets.map(({ datasetId, documents, isLowerBound }) => ({
    value: datasetId,
    text: t.documents(format.count(documents), documents, isLowerBound),
  }));
  return { suggestions, refresh };
}
