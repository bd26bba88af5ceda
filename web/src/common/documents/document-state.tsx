import type { Outputs } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import styles from './document-state.module.css';
import { documentMessages } from './messages';

type OneDocument = Outputs['documents']['getMany'][number];

interface DocumentStateProps {
  document: Pick<OneDocument, 'status' | 'stage' | 'processingProgress' | 'attempts' | 'warnings'> & {
    source?: string;
  };
}

/** Most are ready, which needs no emphasis. */
const TONES: Record<Exclude<OneDocument['status'], 'ready'>, Tone> = {
  created: 'neutral',
  processing: 'busy',
  failed: 'bad',
  unknown: 'neutral',
};

/** How far a document is, with stage and progress while it is processed; and whether its chunks lack something. */
export function DocumentState({ document }: DocumentStateProps) {
  const t = useMessages(documentMessages);
  const { status, stage, processingProgress, attempts, warnings, source } = document;
  return (
    <div className={styles.state}>
      {status === 'ready' ? (
        <span className={styles.ready}>{t.statuses.ready}</span>
      ) : (
        <Badge tone={TONES[status]}>
          {status === 'created' && source === 'none' ? t.noSource : t.statuses[status]}
        </Badge>
      )}
      {warnings.length > 0 && <Badge tone="warning">{t.warningCount(warnings.length)}</Badge>}
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

/** Whether a document has failed, and has no chunks of an earlier processing that searches could find. */
export const hasNothingToFind = ({
  status,
  chunkCount,
}: Pick<OneDocument, 'status' | 'chunkCount'>): boolean => status === 'failed' && chunkCount === 0;
