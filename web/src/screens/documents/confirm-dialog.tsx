import { CallDialog } from '../../api/call-dialog';
import type { Document } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';
import { useFormat, useMessages } from '../../language/language';
import { ScrollBox } from '../../ui/scroll-box';
import styles from './documents.module.css';
import { messages } from './messages';
import { type ConfirmedAction, useBatches } from './use-batches';
import { isPending } from './use-document-pages';

/** Names that are shown; the others are counted. */
const MAX_NAMES = 8;

/** What somebody is asked about. */
export interface Confirmation {
  action: ConfirmedAction;
  documents: readonly Document[];
}

interface ConfirmDialogProps extends Confirmation {
  /** Most documents of one call. */
  batchSize: number;
  onDone: () => void;
  onClose: () => void;
}

/** Names what an action is about, and asks before it happens. */
export function ConfirmDialog({ action, documents, batchSize, onDone, onClose }: ConfirmDialogProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const { confirmed, done } = useBatches();
  const concerned = documents.filter(CONCERNS[action]);
  const chunks = concerned.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
  const others = documents.length - concerned.length;
  const words = t.confirm[action];
  return (
    <CallDialog
      isDangerous={action !== 'reprocess'}
      title={words.title(concerned.length)}
      cancel={words.no}
      submit={words.yes}
      call={confirmed}
      reason={concerned.length === 0 ? t.nothingToDo : undefined}
      onSubmit={() =>
        confirmed.mutate(
          { action, documents: concerned, size: batchSize },
          {
            onSuccess: () => {
              onDone();
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {concerned.length > 0 && (
        <ScrollBox label={t.selection} className={styles.names}>
          <ul>
            {concerned.slice(0, MAX_NAMES).map((document) => (
              <li key={document.id}>{nameOf(document)}</li>
            ))}
            {concerned.length > MAX_NAMES && <li>{t.more(concerned.length - MAX_NAMES)}</li>}
          </ul>
        </ScrollBox>
      )}
      <p>{words.text(chunks)}</p>
      {confirmed.isPending && concerned.length > batchSize && (
        <p role="status">{t.progress(format.count(done), format.count(concerned.length))}</p>
      )}
      {others > 0 && <p>{t.leftOut[action](others)}</p>}
    </CallDialog>
  );
}

/** The documents that an action can be done with. */
const CONCERNS: Record<ConfirmedAction, (document: Document) => boolean> = {
  reprocess: ({ source }) => source !== 'none',
  cancel: isPending,
  delete: () => true,
};
