import type { ReactNode } from 'react';
import { readDatasetParam, toDatasetParam } from '../../api/dataset-ids';
import { DatasetsField } from '../../api/datasets-field';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import { messages } from './messages';
import styles from './search.module.css';
import {
  DEFAULT_TOP_K,
  MAX_TOP_K,
  modes,
  questionLanguages,
  readLabSearch,
  type SettingsSearch,
} from './search-params';

/** Settings as they are typed. */
export interface TypedSettings {
  datasets: string[];
  language: string;
  mode: string;
  topK: string;
}

/** @param language where the settings have none */
export const toTyped = (
  settings: SettingsSearch,
  knownDatasets: string[],
  language: NonNullable<SettingsSearch['language']> = 'english',
): TypedSettings => ({
  datasets: settings.datasets === undefined ? knownDatasets : readDatasetParam(settings.datasets),
  language: settings.language ?? language,
  mode: settings.mode ?? '',
  topK: String(settings.topK ?? DEFAULT_TOP_K),
});

export function toSettings({ datasets, ...typed }: TypedSettings): SettingsSearch {
  const { language, topK, mode } = readLabSearch(typed);
  return { datasets: toDatasetParam(datasets), language, topK, mode };
}

interface SettingsFieldsProps {
  /** Of the group; for screen readers alone where there is only one. */
  legend: string;
  isLegendHidden?: boolean;
  value: TypedSettings;
  onChange: (value: TypedSettings) => void;
  /** A field beside them. */
  children?: ReactNode;
}

/** How a question is asked. */
export function SettingsFields({
  legend,
  isLegendHidden = false,
  value,
  onChange,
  children,
}: SettingsFieldsProps) {
  const t = useMessages(messages);
  const set = (changed: Partial<TypedSettings>) => onChange({ ...value, ...changed });
  return (
    <fieldset className={styles.settings}>
      <legend className={isLegendHidden ? 'unseen' : styles.legend}>{legend}</legend>
      <DatasetsField label={t.datasets} value={value.datasets} onValue={(datasets) => set({ datasets })} />
      <Select
        label={t.language}
        value={value.language}
        options={questionLanguages.map((one) => ({ value: one, text: t.languages[one] }))}
        onChange={(event) => set({ language: event.target.value })}
      />
      <ModeSelect value={value.mode} onChange={(mode) => set({ mode })} />
      <TextField
        label={t.topK}
        type="number"
        min={1}
        max={MAX_TOP_K}
        value={value.topK}
        onChange={(event) => set({ topK: event.target.value })}
      />
      {children}
    </fieldset>
  );
}

/** How hits are found; as configured where it is empty. */
export function ModeSelect({ value, onChange }: { value: string; onChange: (mode: string) => void }) {
  const t = useMessages(messages);
  return (
    <Select
      label={t.mode}
      value={value}
      options={(['', ...modes] as const).map((one) => ({ value: one, text: t.modes[one] }))}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
