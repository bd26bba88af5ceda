import type { InputHTMLAttributes } from 'react';
import { type Dictionary, useFormat, useMessages } from '../language/language';
import { SuggestionField } from '../ui/suggestion-field';
import { readDatasets } from './dataset-ids';
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

interface DatasetFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Several ids, separated by commas. */
  isList?: boolean;
  /** Of new documents, where it is not the unit that is shown. */
  unit?: string | undefined;
}

/** A dataset, or several; those that the scope has are offered. */
export function DatasetField({ value, onValue, isList = false, unit, onFocus, ...rest }: DatasetFieldProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const { tenantId, tenantUnitId } = useScope();
  // A list is completed at its end: what stands before belongs to each suggestion.
  const before = isList ? value.slice(0, Math.max(value.lastIndexOf(','), value.lastIndexOf('，')) + 1) : '';
  const { datasets, refresh } = useDatasets(
    { tenantId, tenantUnitId: unit || tenantUnitId },
    value.slice(before.length),
  );
  const listed = readDatasets(before);
  return (
    <SuggestionField
      {...rest}
      value={value}
      suggestions={datasets
        .filter(({ datasetId }) => !listed.includes(datasetId))
        .map(({ datasetId, documents, isLowerBound }) => ({
          value: before ? `${before} ${datasetId}` : datasetId,
          text: t.documents(format.count(documents), documents, isLowerBound),
        }))}
      onFocus={(event) => {
        refresh();
        onFocus?.(event);
      }}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
