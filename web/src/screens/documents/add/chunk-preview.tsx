import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../api/call-error';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Switch } from '../../../ui/switch';
import { messages } from '../messages';
import styles from './add.module.css';
import { ComparedReadings } from './compared-readings';
import { canPreview, previewDraft } from './preview-draft';
import { PreviewedChunks } from './previewed-chunks';
import type { DraftProps } from './source-fields';

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
  const format = useFormat();
  const compared = isComparing ? engine : undefined;
  const preview = useMutation({
    mutationFn: () => previewDraft(draft, tenantId, compared ? ['own', 'engine'] : [draft.extraction]),
  });
  if (draft.kind === 'sitemap') return null;
  const { error, isPending } = preview;
  const data = isPending ? undefined : preview.data;
  const [one, other] = data?.readings ?? [];
  return (
    <section className={styles.preview} aria-label={t.preview.title}>
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
                onComparing(isOn);
              }}
            />
            <span aria-hidden="true">{t.preview.compare(engine)}</span>
          </span>
        )}
        {data && (
          <span role="status">
            {t.preview.of(data.name)}
            {!other &&
              one?.preview &&
              t.preview.count(
                one.preview.chunkCount,
                format.count(one.preview.chunkCount),
                one.preview.truncated,
              )}
          </span>
        )}
      </div>
      {error && !isPending && <CallError error={error} />}
      {!other && one?.error !== undefined && <CallError error={one.error} />}
      {!other && one?.preview && <PreviewedChunks preview={one.preview} name={data?.name ?? ''} />}
      {other && data && compared !== undefined && (
        <ComparedReadings
          readings={data.readings}
          engine={compared}
          chosen={draft.extraction}
          onChoose={(extraction) => set({ extraction })}
        />
      )}
    </section>
  );
}
