import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CallError } from '../../../api/call-error';
import { useDatasets } from '../../../api/reach';
import { useScope } from '../../../api/scope';
import { ReaderField } from '../../../common/documents/reader-field';
import { useEngine } from '../../../common/documents/readers';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { Form } from '../../../ui/form';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import { Tabs } from '../../../ui/tabs';
import { useSettled } from '../../../ui/use-settled';
import { messages } from '../messages';
import { ChunkPreview } from './chunk-preview';
import { ChunkingFields } from './chunking-fields';
import { DestinationFields } from './destination-fields';
import { type Draft, emptyDraft, kinds } from './draft';
import { ImportOutcome } from './import-outcome';
import { lastDatasets } from './last-datasets';
import { nameOfText } from './name-of-text';
import { SourceFields } from './source-fields';
import { useAdd } from './use-add';
import { useDroppedFiles } from './use-dropped-files';

/** Where there is none yet and none is chosen, as no search finds what is in none. */
const FIRST_DATASET = 'knowledge';

/** Name and datasets are undefined until somebody types or chooses some. */
type TypedDraft = Omit<Draft, 'name' | 'datasets'> & Partial<Pick<Draft, 'name' | 'datasets'>>;

interface AddDialogProps {
  /** Files that were dropped, or the kind that is asked for first. */
  initial: Partial<Draft>;
  /** The one that the list is filtered by. */
  dataset: string | undefined;
  onClose: () => void;
}

/** Adds files, a text, web pages, the pages of a sitemap or an object of a bucket. */
export function AddDialog({ initial, dataset, onClose }: AddDialogProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const { tenantId, tenantUnitId } = useScope();
  const [typed, setTyped] = useState<TypedDraft>({ ...emptyDraft, unit: tenantUnitId ?? '', ...initial });
  const unit = useSettled(typed.unit.trim());
  const set = (changed: Partial<Draft>) => setTyped((now) => ({ ...now, ...changed }));
  const { datasets: known, isKnown } = useDatasets({ tenantId, tenantUnitId: unit || tenantUnitId }, '');
  const preselected =
    dataset === undefined
      ? preselect(
          known.map(({ datasetId }) => datasetId),
          lastDatasets(tenantId),
        )
      : [dataset];
  const draft: Draft = {
    ...typed,
    name: typed.name ?? nameOfText(typed.content),
    datasets: typed.datasets ?? preselected,
  };
  const proposed = isKnown && known.length === 0 && draft.datasets.length === 0 ? FIRST_DATASET : undefined;
  const addFilesToDraft = (files: File[]) =>
    setTyped((now) => ({ ...now, kind: 'files', files: [...now.files, ...files] }));
  useDroppedFiles(addFilesToDraft, true);
  const engine = useEngine();
  const [isComparing, setComparing] = useState(false);
  // No engine reads text that is there already.
  const compared = draft.kind === 'text' || draft.kind === 'sitemap' ? undefined : engine;
  const { add, outcome } = useAdd({ tenantId, onAdded: onClose });
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => text.current?.focus(), []);
  if (outcome) {
    return (
      <Dialog title={t.add.title} onClose={onClose}>
        <ImportOutcome outcome={outcome} onClose={onClose} />
      </Dialog>
    );
  }
  const fields = { draft, set };
  const missing = missingIn(draft, t.add);
  return (
    <Dialog title={t.add.title} isWide={isComparing && compared !== undefined} onClose={onClose}>
      <Form onSubmit={() => add.mutate(proposed ? { ...draft, datasets: [proposed] } : draft)}>
        <Tabs
          label={t.add.kind}
          value={draft.kind}
          tabs={kinds.map((value) => ({ value, text: t.add.kinds[value] }))}
          onChange={(kind) => {
            // There to be focused. Whoever chooses with the arrow keys stays on the tab.
            flushSync(() => set({ kind }));
            text.current?.focus();
          }}
        >
          <SourceFields {...fields} textRef={text} onFiles={addFilesToDraft} />
        </Tabs>
        <DestinationFields {...fields} proposed={proposed} />
        {draft.kind !== 'text' && (
          <ReaderField value={draft.extraction} onReader={(extraction) => set({ extraction })} />
        )}
        <ChunkingFields {...fields} />
        <ChunkPreview
          {...fields}
          tenantId={tenantId}
          engine={compared}
          isComparing={isComparing}
          onComparing={setComparing}
        />
        {add.error && <CallError error={add.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t.add.cancel}</Button>
          <SubmitButton kind="primary" disabled={add.isPending} reason={missing && reasons.missing(missing)}>
            {add.isPending && draft.kind === 'sitemap' ? t.add.reading : t.add.submit}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Those that were used last, as far as they still exist, else the only one. */
function preselect(known: readonly string[], last: readonly string[]): string[] {
  const kept = last.filter((one) => known.includes(one));
  return kept.length > 0 || known.length !== 1 ? kept : [...known];
}

/** The label of the first field that has to be filled in. */
function missingIn(draft: Draft, t: (typeof messages.en)['add']): string | undefined {
  const needed: Record<Draft['kind'], [value: string, label: string][]> = {
    files: [[draft.files.length > 0 ? 'some' : '', t.kinds.files]],
    text: [
      [draft.name, t.name],
      [draft.content, t.content],
    ],
    urls: [[draft.urls, t.kinds.urls]],
    sitemap: [[draft.sitemap, t.sitemap]],
    bucket: [
      [draft.bucket, t.bucket],
      [draft.path, t.path],
    ],
  };
  const all: [value: string, label: string][] = [...needed[draft.kind], [draft.unit, t.unit]];
  return all.find(([value]) => value.trim() === '')?.[1];
}
