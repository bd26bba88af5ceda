import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Select } from '../../../ui/field';
import { Switch } from '../../../ui/switch';
import { messages } from '../messages';
import styles from './add.module.css';
import { COMPARED, ComparedReadings } from './compared-readings';
import { canPreview, previewDraft, type Readings, sourcesOf } from './preview-draft';
import { ChunkCount, PreviewedChunks } from './previewed-chunks';
import type { DraftProps } from './source-fields';

/** Sources that are offered. */
const MAX_LISTED = 1_000;

interface ChunkPreviewProps extends DraftProps {
  tenantId: string;
  /** The extraction engine that Lectern's reading is compared with; undefined where that cannot be. */
  engine: string | undefined;
  isComparing: boolean;
  onComparing: (isComparing: boolean) => void;
}

/** The chunks that a draft would give, before anything is stored. */
export function ChunkPreview({ draft, set, tenantId, engine, isComparing, onComparing }: ChunkPreviewProps) {
  const t = useMessages(messages);
  const compared = isComparing ? engine : undefined;
  const [read, setRead] = useState<Readings>();
  const [chosen, setChosen] = useState(0);
  const sources = sourcesOf(draft).slice(0, MAX_LISTED);
  // Files may have been taken out since.
  const place = chosen < sources.length ? chosen : 0;
  const preview = useMutation({
    mutationFn: () => {
      setRead(undefined);
      const readers = compared === undefined ? [draft.extraction] : COMPARED;
      return previewDraft(draft, tenantId, { place, readers, onRead: setRead });
    },
  });
  if (draft.kind === 'sitemap') return null;
  const { error, isPending } = preview;
  const one = compared === undefined ? read?.readings[0] : undefined;
  return (
    <section className={styles.preview} aria-label={t.preview.title}>
      {sources.length > 1 && (
        <Select
          label={t.preview.which}
          value={String(place)}
          options={sources.map((text, value) => ({ value: String(value), text }))}
          onChange={(event) => {
            preview.reset();
            setRead(undefined);
            setChosen(Number(event.target.value));
          }}
        />
      )}
      <div className={styles.previewHead}>
        <Button disabled={isPending || !canPreview(draft)} onClick={() => preview.mutate()}>
          {isPending ? t.preview.running : t.preview.show}
        </Button>
        {engine !== undefined && (
          <span className={styles.comparing}>
            <Switch
              label={t.preview.compare(engine)}
              checked={isComparing}
              disabled={isPending}
              onChange={(isOn) => {
                preview.reset();
                setRead(undefined);
                onComparing(isOn);
              }}
            />
            <span aria-hidden="true">{t.preview.compare(engine)}</span>
          </span>
        )}
        {read && (
          <span role="status">
            {one?.preview ? t.preview.of(read.name) : read.name}
            {one?.preview && <ChunkCount preview={one.preview} />}
          </span>
        )}
      </div>
      {error && !isPending && <CallError error={error} />}
      {one?.error !== undefined && <CallError error={one.error} />}
      {one?.preview && <PreviewedChunks preview={one.preview} name={read?.name ?? ''} />}
      {read && compared !== undefined && (
        <ComparedReadings
          readings={read.readings}
          engine={compared}
          chosen={draft.extraction}
          onChoose={(extraction) => set({ extraction })}
        />
      )}
    </section>
  );
}
