import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { DocumentFailure } from '../../common/documents/document-failure';
import { nameOf } from '../../common/documents/document-name';
import { DocumentState, hasNothingToFind } from '../../common/documents/document-state';
import { useFormatName } from '../../common/documents/format/document-format';
import { FormatIcon } from '../../common/documents/format/format-icon';
import { useListAddress } from '../../common/documents/list-address';
import { mayHelp } from '../../common/documents/may-help';
import { documentMessages } from '../../common/documents/messages';
import { useEngine } from '../../common/documents/readers';
import { DocumentWarnings } from '../../common/documents/warnings/document-warnings';
import { useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Switch } from '../../ui/switch';
import { DeleteDialog } from './delete-dialog';
import styles from './document.module.css';
import { messages } from './messages';
import { ReprocessDialog } from './reprocess-dialog';
import { type OneDocument, refOf, useRefreshDocument } from './use-document';

/** What a document is called, how far it is, and what can be done with all of it. */
export function DocumentHeader({ document }: { document: OneDocument }) {
  const list = useListAddress();
  const t = useMessages(messages);
  const states = useMessages(documentMessages);
  const refresh = useRefreshDocument();
  const engine = useEngine();
  const formatName = useFormatName();
  const [isDeleting, setDeleting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const setEnabled = useMutation(trpc.documents.setEnabled.mutationOptions({ onSettled: refresh }));
  const reprocess = useMutation(trpc.documents.reprocess.mutationOptions({ onSettled: refresh }));
  const cancel = useMutation(trpc.documents.cancel.mutationOptions({ onSettled: refresh }));
  const ref = refOf(document);
  const failure = setEnabled.error ?? reprocess.error ?? cancel.error;
  const isFindable = !hasNothingToFind(document);
  const enabledText = document.enabled ? (isFindable ? t.enabled : t.enabledLater) : t.disabled;
  const isPending = document.status === 'created' || document.status === 'processing';
  return (
    <div className={styles.head}>
      <Link to="/documents" search={list} className={styles.back}>
        {t.back}
      </Link>
      <PageHeader title={nameOf(document)}>
        {isPending ? (
          <Button disabled={cancel.isPending} onClick={() => cancel.mutate(ref)}>
            {t.cancel}
          </Button>
        ) : (
          mayHelp(document, engine !== undefined) && (
            <Button
              disabled={reprocess.isPending}
              // Where somebody else could read it, that is asked first.
              onClick={() => (engine === undefined ? reprocess.mutate(ref) : setAsking(true))}
            >
              <RotateCcw />
              {t.reprocess}
            </Button>
          )
        )}
        <Button onClick={() => setDeleting(true)}>
          <Trash2 />
          {t.delete}
        </Button>
      </PageHeader>
      <div className={styles.status}>
        <DocumentState document={document} />
        <span className={styles.format}>
          <FormatIcon document={document} />
          {formatName(document) ?? t.types[document.documentType]}
        </span>
        <span className={styles.soft}>{t.chunkCount(document.chunkCount)}</span>
        {document.datasetIds.length === 0 && (
          <Link
            to="/documents/$documentId"
            params={{ documentId: document.id }}
            search={({ tenant, unit }) => ({ tenant, unit, view: 'properties' })}
          >
            <Badge tone="neutral">{states.inNoDataset}</Badge>
          </Link>
        )}
        <span className={styles.enabled}>
          <Switch
            label={isFindable ? t.enabledLabel : t.enabledLater}
            checked={setEnabled.isPending ? setEnabled.variables.enabled : document.enabled}
            disabled={setEnabled.isPending}
            onChange={(enabled) => setEnabled.mutate({ ...ref, enabled })}
          />
          {enabledText}
        </span>
      </div>
      {document.error && <DocumentFailure error={document.error} />}
      <DocumentWarnings warnings={document.warnings} title={t.warnings} />
      {failure && <CallError error={failure} />}
      {isAsking && <ReprocessDialog document={document} onClose={() => setAsking(false)} />}
      {isDeleting && <DeleteDialog document={document} onClose={() => setDeleting(false)} />}
    </div>
  );
}
