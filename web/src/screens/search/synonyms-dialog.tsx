import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { readIds as readList } from '../../api/dataset-ids';
import { DatasetsField } from '../../api/datasets-field';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import { messages } from './messages';
import { useUnitScope } from './use-evaluations';
import { type Synonyms, useSynonymCalls } from './use-synonyms';

const directions = ['both', 'one'] as const;

/** Adds synonyms, or changes some. */
export function SynonymsDialog({
  synonyms,
  onClose,
}: {
  synonyms: Synonyms | undefined;
  onClose: () => void;
}) {
  const t = useMessages(messages);
  const scope = useUnitScope();
  const { save } = useSynonymCalls();
  const [draft, setDraft] = useState({
    terms: synonyms?.terms.join(', ') ?? '',
    direction: synonyms?.replacements ? 'one' : 'both',
    replacements: synonyms?.replacements?.join(', ') ?? '',
    datasets: synonyms?.datasetIds ?? [],
  });
  const set = (changed: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...changed }));
  const isOneWay = draft.direction === 'one';
  const submit = () => {
    if (!scope) return;
    const datasetIds = draft.datasets;
    const rule = {
      scope,
      ...(synonyms && { synonymsId: synonyms.id }),
      terms: readList(draft.terms),
      replacements: isOneWay ? readList(draft.replacements) : null,
      ...(datasetIds.length > 0 && { datasetIds }),
    };
    save.mutate(rule, { onSuccess: onClose });
  };
  return (
    <CallDialog
      title={synonyms ? t.synonyms.change : t.synonyms.add}
      cancel={t.synonyms.cancel}
      submit={t.synonyms.save}
      call={save}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t.synonyms.words}
        hint={t.synonyms.wordsHint}
        value={draft.terms}
        required
        onChange={(event) => set({ terms: event.target.value })}
      />
      <Select
        label={t.synonyms.direction}
        value={draft.direction}
        options={directions.map((value) => ({ value, text: t.synonyms.directions[value] }))}
        onChange={(event) => set({ direction: event.target.value })}
      />
      {isOneWay && (
        <TextField
          label={t.synonyms.replacements}
          value={draft.replacements}
          required
          onChange={(event) => set({ replacements: event.target.value })}
        />
      )}
      <DatasetsField
        label={t.synonyms.onlyDatasets}
        value={draft.datasets}
        onValue={(datasets) => set({ datasets })}
      />
    </CallDialog>
  );
}
