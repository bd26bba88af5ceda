import { useDatasets } from '../../api/reach';
import { useScope } from '../../api/scope';
import { useSuggestions } from '../../api/use-suggestions';
import { useMessages } from '../../language/language';
import { Combobox } from '../../ui/combobox';
import { messages } from './messages';
import { MAX_NAME_PART } from './search-params';

interface NameFieldProps {
  value: string;
  onValue: (value: string) => void;
  /** All of the unit if undefined. */
  dataset: string | undefined;
}

/** A part of a name; those of enabled documents of a unit are offered. */
export function NameField({ value, onValue, dataset }: NameFieldProps) {
  const t = useMessages(messages);
  const { datasets } = useDatasets(useScope(), '');
  const datasetIds = dataset === undefined ? datasets.map(({ datasetId }) => datasetId) : [dataset];
  const suggested = useSuggestions(value, datasetIds);
  const names = suggested?.documents.map(({ name, title }) => name ?? title ?? '');
  const choices = [...new Set(names)].map((name) => ({
    key: name,
    content: name,
    onChoose: () => onValue(name),
  }));
  return (
    <Combobox
      type="search"
      label={t.searchNames}
      value={value}
      onValue={onValue}
      groups={suggested && [{ title: t.suggested.documents, choices }]}
      empty={t.suggested.none}
      maxLength={MAX_NAME_PART}
    />
  );
}
