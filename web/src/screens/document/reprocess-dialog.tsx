import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { ReaderField } from '../../common/documents/reader-field';
import { useMessages } from '../../language/language';
import { messages } from './messages';
import { type OneDocument, refOf, useRefreshDocument } from './use-document';

interface ReprocessDialogProps {
  document: OneDocument;
  onClose: () => void;
}

/** Asks who reads the source, and has it processed again. */
export function ReprocessDialog({ document, onClose }: ReprocessDialogProps) {
  const t = useMessages(messages);
  const refresh = useRefreshDocument();
  const [reader, setReader] = useState(document.extraction);
  const reprocess = useMutation(
    trpc.documents.reprocess.mutationOptions({
      onSuccess: () => {
        onClose();
        void refresh();
      },
    }),
  );
  return (
    <CallDialog
      title={t.again.title}
      cancel={t.again.cancel}
      submit={t.reprocess}
      call={reprocess}
      onSubmit={() =>
        reprocess.mutate({ ...refOf(document), ...(reader !== 'unknown' && { extraction: reader }) })
      }
      onClose={onClose}
    >
      <p>{t.again.text}</p>
      <ReaderField value={reader} onReader={setReader} />
    </CallDialog>
  );
}
