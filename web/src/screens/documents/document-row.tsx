import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Author } from '../../api/author';
import { CallError } from '../../api/call-error';
import { type Document, trpc } from '../../api/trpc';
import { DocumentFailure } from '../../common/documents/document-failure';
import { nameOf } from '../../common/documents/document-name';
import { DocumentState, hasNothingToFind } from '../../common/documents/document-state';
import { useFormatName } from '../../common/documents/format/document-format';
import { FormatIcon } from '../../common/documents/format/format-icon';
import { mayHelp } from '../../common/documents/may-help';
import { documentMessages } from '../../common/documents/messages';
import { useEngine } from '../../common/documents/readers';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Switch } from '../../ui/switch';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import type { Column } from './columns';
import styles from './list.module.css';
import { messages } from './messages';
import { useRefreshDocuments } from './use-document-pages';

export interface DocumentRowProps {
  document: Document;
  /** From 0. */
  index: number;
  columns: readonly Column[];
  isSelected: boolean;
  /** @param isRange whether all since the last one are meant */
  onSelect: (index: number, isSelected: boolean, isRange: boolean) => void;
  onDelete: (document: Document) => void;
  measure: (row: HTMLTableRowElement | null) => void;
}

/** A card does not tell what there is none of. */
const none = (isNone: boolean) => (isNone ? styles.none : '');

/** A document of the list. Not rendered again while others scroll by. */
export const DocumentRow = memo(function DocumentRow(props: DocumentRowProps) {
  const { document, index, columns, isSelected, onSelect, onDelete, measure } = props;
  const t = useMessages(messages);
  const states = useMessages(documentMessages);
  const format = useFormat();
  const formatName = useFormatName();
  const refresh = useRefreshDocuments();
  const hasEngine = useEngine() !== undefined;
  const setEnabled = useMutation(trpc.documents.setEnabled.mutationOptions({ onSettled: refresh }));
  const reprocess = useMutation(
    trpc.documents.reprocess.mutationOptions({
      // A list of failed documents does not have it any more.
      onSuccess: () => showToast({ text: t.done.again(name) }),
      onSettled: refresh,
    }),
  );
  const { id: documentId, tenantId, tenantUnitId } = document;
  const ref = { scope: { tenantId, tenantUnitId }, documentId };
  const name = nameOf(document);
  const failure = setEnabled.error ?? reprocess.error;
  const author = document.updatedBy ?? document.createdBy;
  const cells: Record<Column, ReactNode> = {
    type: (
      <td key="type" data-label={t.type}>
        {formatName(document) ?? t.types[document.documentType]}
      </td>
    ),
    datasets: (
      <td key="datasets" data-label={t.datasets} className={styles.datasets}>
        {document.datasetIds.join(', ') || <span className={styles.inNone}>{states.inNoDataset}</span>}
      </td>
    ),
    status: (
      <td key="status" data-label={t.status}>
        <DocumentState document={document} />
      </td>
    ),
    enabled: (
      <td
        key="enabled"
        data-label={t.enabled}
        className={`${styles.enabled} ${none(hasNothingToFind(document))}`}
      >
        {hasNothingToFind(document) ? (
          '–'
        ) : (
          <Switch
            label={t.enableOf(name)}
            checked={setEnabled.isPending ? setEnabled.variables.enabled : document.enabled}
            disabled={setEnabled.isPending}
            onChange={(enabled) => setEnabled.mutate({ ...ref, enabled })}
          />
        )}
      </td>
    ),
    chunks: (
      <td key="chunks" data-label={t.chunks} className={`${styles.number} ${styles.chunks}`}>
        {format.count(document.chunkCount)}
      </td>
    ),
    size: (
      <td key="size" data-label={t.size} className={`${styles.number} ${none(document.sizeBytes === null)}`}>
        {document.sizeBytes === null ? '–' : format.bytes(document.sizeBytes)}
      </td>
    ),
    created: (
      <td key="created" data-label={t.created} className={styles.time}>
        <Time iso={document.createdTime} />
      </td>
    ),
    updated: (
      <td key="updated" data-label={t.updated} className={styles.time}>
        <Time iso={document.updatedTime} />
      </td>
    ),
    by: (
      <td key="by" data-label={t.by} className={`${styles.datasets} ${none(author === null)}`}>
        {author === null ? '–' : <Author userId={author} />}
      </td>
    ),
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={isSelected ? `${styles.row} ${styles.chosen}` : styles.row}
    >
      <td className={styles.select}>
        <input
          type="checkbox"
          data-row={index}
          aria-label={t.selectOf(name)}
          checked={isSelected}
          onChange={(event) => {
            const { shiftKey } = event.nativeEvent as MouseEvent;
            onSelect(index, event.target.checked, shiftKey);
          }}
        />
      </td>
      <th scope="row" className={styles.name}>
        <FormatIcon document={document} />
        <Link to="/documents/$documentId" params={{ documentId }} preload={false} title={name}>
          {name}
        </Link>
      </th>
      {columns.map((column) => cells[column])}
      <td className={styles.actions}>
        {document.status === 'failed' && mayHelp(document, hasEngine) && (
          <Button
            kind="quiet"
            size="icon"
            aria-label={t.reprocessOf(name)}
            title={t.reprocess}
            disabled={reprocess.isPending}
            onClick={() => reprocess.mutate(ref)}
          >
            <RotateCcw />
          </Button>
        )}
        <Button
          kind="quiet"
          size="icon"
          aria-label={t.deleteOf(name)}
          title={t.delete}
          onClick={() => onDelete(document)}
        >
          <Trash2 />
        </Button>
      </td>
      {(document.error || failure) && (
        <td className={styles.problem}>
          {document.error && <DocumentFailure error={document.error} />}
          {failure && <CallError error={failure} />}
        </td>
      )}
    </tr>
  );
});
