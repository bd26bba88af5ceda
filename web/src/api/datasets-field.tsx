import { useState } from 'react';
import { MultiCombobox } from '../ui/multi-combobox';
import { readIds } from './dataset-ids';
import { useDatasetSuggestions } from './use-dataset-suggestions';

interface DatasetsFieldProps {
  label: string;
  hint?: string | undefined;
  placeholder?: string | undefined;
  value: readonly string[];
  onValue: (datasetIds: string[]) => void;
  /** Of new documents, where it is not the unit that is shown. */
  unit?: string | undefined;
  /** Most datasets that can be chosen. */
  most?: number | undefined;
  /** One that is not offered. */
  except?: string | undefined;
}

/** Several datasets: those that the scope has are offered, and others can be typed. */
export function DatasetsField({ value, onValue, unit, except, ...rest }: DatasetsFieldProps) {
  const [typed, setTyped] = useState('');
  const { suggestions, refresh } = useDatasetSuggestions(typed, unit);
  return (
    <MultiCombobox
      {...rest}
      values={value}
      onValues={onValue}
      typed={typed}
      onTyped={setTyped}
      suggestions={suggestions.filter((one) => one.value !== except)}
      read={readIds}
      onFocus={refresh}
    />
  );
}
