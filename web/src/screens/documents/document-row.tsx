import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../api/call-error';
import { type Document, trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Switch } from '../../ui/switch';
import { nameOf } from './document-name';
import { DocumentState } from './document-state';
import styles from './documents.module.css';
import { messages } from './messages';
import { useRefreshDocuments } from './use-documents';

interface DocumentRowProps {
  document: Document;
  onDelete: () => void;
}

export function DocumentRow({ document, onDelete }: DocumentRowProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const refresh = useRefreshDocuments();
  const setEnabled = useMutation(trpc.documents.setEnabled.mutationOptions({ onSettled: refresh }));
  const reprocess = useMutation(trpc.documents.reprocess.mutationOptions({ onSettled: refresh }));
  const { id: documentId, tenantId, tenantUnitId } = document;
  const ref = { scope: { tenantId, tenantUnitId }, documentId };
  const name = nameOf(document);
  const failure = setEnabled.error ?? reprocess.error;
  return (
    <tr>
      <td className={styles.name}>
        <span title={documentId}>{name}</span>
        {document.error && (
          <p className={styles.reason} lang="en">
            {document.error.message}
          </p>
        )}
        {failure && <CallError error={failure} />}
      </td>
      <td data-label={t.type} className={styles.type}>
        {t.types[document.documentType]}
      </td>
      <td data-label={t.datasets}>
        <span className={styles.datasets}>{document.datasetIds.join(', ') || '–'}</span>
      </td>
      <td data-label={t.status}>
        <DocumentState document={document} />
      </td>
      <td data-label={t.enabled}>
        <Switch
          label={t.enableOf(name)}
          checked={setEnabled.isPending ? setEnabled.variables.enabled : document.enabled}
          disabled={setEnabled.isPending}
          onChange={(enabled) => setEnabled.mutate({ ...ref, enabled })}
        />
      </td>
      <td data-label={t.chunks} className={styles.number}>
        {format.count(document.chunkCount)}
      </td>
      <td data-label={t.updated} className={styles.time}>
        {format.time(document.updatedTime)}
      </td>
      <td className={styles.actions}>
        {document.status === 'failed' && (
          <Button
            size="small"
            aria-label={t.retryOf(name)}
            disabled={reprocess.isPending}
            onClick={() => reprocess.mutate(ref)}
          >
            {t.retry}
          </Button>
        )}
        <Button kind="quiet" size="small" aria-label={t.deleteOf(name)} onClick={onDelete}>
          {t.delete}
        </Button>
      </td>
    </tr>
  );
}
