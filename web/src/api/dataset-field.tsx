import type { InputHTMLAttributes } from 'react';
import { SuggestionField } from '../ui/suggestion-field';
import { useDatasetSuggestions } from './use-dataset-suggestions';

interface DatasetFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onValue: (value: string) => void;
}

/** One dataset; those that the scope has are offered. */
export function DatasetField({ value, onValue, onFocus, ...rest }: DatasetFieldProps) {
  const { suggestions, refresh } = useDatasetSuggestions(value);
  return (
    <SuggestionField
      {...rest}
      value={value}
      suggestions={suggestions}
      onFocus={(event) => {
        refresh();
        onFocus?.(event);
      }}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
