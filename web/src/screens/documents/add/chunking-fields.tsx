import { useQuery } from '@tanstack/react-query';
import { session } from '../../../api/session';
import { useMessages } from '../../../language/language';
import { TextArea, TextField } from '../../../ui/field';
import { messages } from '../messages';
import styles from './add.module.css';
import type { DraftProps } from './source-fields';

/** How the text is split; what is left empty is as the server has it. */
export function ChunkingFields({ draft, set }: DraftProps) {
  const t = useMessages(messages);
  const { data } = useQuery(session);
  const { size, overlap } = data?.server.chunking ?? {};
  return (
    <details className={styles.chunking}>
      <summary>{t.add.chunking}</summary>
      <div className={styles.form}>
        <div className={styles.pair}>
          <TextField
            type="number"
            label={t.add.size}
            value={draft.size}
            min={100}
            max={8_000}
            placeholder={String(size ?? '')}
            onChange={(event) => set({ size: event.target.value })}
          />
          <TextField
            type="number"
            label={t.add.overlap}
            value={draft.overlap}
            min={0}
            max={4_000}
            placeholder={String(overlap ?? '')}
            onChange={(event) => set({ overlap: event.target.value })}
          />
        </div>
        <TextArea
          label={t.add.separators}
          hint={t.add.separatorsHint}
          value={draft.separators}
          rows={2}
          spellCheck={false}
          onChange={(event) => set({ separators: event.target.value })}
        />
      </div>
    </details>
  );
}
