import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import styles from './list.module.css';
import { messages } from './messages';

const TONES: Record<Document['status'], Tone> = {
  created: 'neutral',
  processing: 'busy',
  ready: 'good',
  failed: 'bad',
};

/** How far a document is; with stage and progress while it is processed. */
export function DocumentState({ document }: { document: Document }) {
  const t = useMessages(messages);
  const { status, stage, processingProgress, attempts, source } = document;
  return (
    <div className={styles.state}>
      <Badge tone={TONES[status]}>
        {status === 'created' && source === 'none' ? t.noSource : t.statuses[status]}
      </Badge>
      {status === 'processing' && (
        <>
          <progress
            className={styles.progress}
            aria-label={t.statuses.processing}
            max={100}
            value={processingProgress}
          />
          <span className={styles.stage}>
            {processingProgress} % {stage && t.stages[stage]}
            {attempts > 1 && ` · ${t.attempt(attempts)}`}
          </span>
        </>
      )}
    </div>
  );
}
