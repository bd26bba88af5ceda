import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { DatasetsField } from '../../../api/datasets-field';
import { readFailure } from '../../../api/errors';
import { trpc } from '../../../api/trpc';
import { ReaderField } from '../../../common/documents/reader-field';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { DiscardDialog } from '../../../ui/discard-dialog';
import { TextField } from '../../../ui/field';
import { Form } from '../../../ui/form';
import { ErrorNotice } from '../../../ui/notice';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import type { DocumentSearch } from '../search-params';
import { type OneDocument, refOf, useRefreshDocument } from '../use-document';

const PRECONDITION_FAILED = 412;

/** Name, title, category and datasets. */
export function PropertiesForm({ document }: { document: OneDocument }) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const refresh = useRefreshDocument();
  const [name, setName] = useState(document.documentName ?? '');
  const [title, setTitle] = useState(document.title ?? '');
  const [category, setCategory] = useState(document.category ?? '');
  const [datasetIds, setDatasetIds] = useState(document.datasetIds);
  const [reader, setReader] = useState(document.extraction);
  const update = useMutation(
    trpc.documents.update.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.done.saved });
        return refresh();
      },
    }),
  );
  const changes = {
    ...(name !== (document.documentName ?? '') && { documentName: name || null }),
    ...(title !== (document.title ?? '') && { title: title || null }),
    ...(category !== (document.category ?? '') && { category: category || null }),
    ...(!isSameSet(datasetIds, document.datasetIds) && { datasetIds }),
    ...(reader !== 'unknown' && reader !== document.extraction && { extraction: reader }),
  };
  const isChanged = Object.keys(changes).length > 0;
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && (next.pathname !== current.pathname || viewOf(next) !== viewOf(current)),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <Form
      onSubmit={() => update.mutate({ ...refOf(document), ...changes, expectedVersion: document.version })}
    >
      <TextField
        label={t.properties.name}
        value={name}
        required={document.documentName !== null}
        maxLength={1024}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t.properties.title}
        value={title}
        maxLength={10_000}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextField
        label={t.properties.category}
        value={category}
        maxLength={255}
        onChange={(event) => setCategory(event.target.value)}
      />
      <DatasetsField
        label={t.properties.datasets}
        hint={t.properties.datasetsHint}
        value={datasetIds}
        unit={document.tenantUnitId}
        onValue={setDatasetIds}
      />
      <ReaderField value={reader} hint={t.properties.readerHint} onReader={setReader} />
      {update.error && readFailure(update.error).status === PRECONDITION_FAILED ? (
        <ErrorNotice>
          <p>{t.properties.overtaken}</p>
          <Button size="small" onClick={() => refresh()}>
            {t.properties.reload}
          </Button>
        </ErrorNotice>
      ) : (
        update.error && <CallError error={update.error} />
      )}
      <div>
        <SubmitButton
          kind="primary"
          disabled={update.isPending}
          reason={isChanged ? undefined : reasons.unchanged}
        >
          {t.properties.save}
        </SubmitButton>
      </div>
      {leaving.status === 'blocked' && <DiscardDialog onDiscard={leaving.proceed} onKeep={leaving.reset} />}
    </Form>
  );
}

const viewOf = ({ search }: { search: object }) => (search as DocumentSearch).view;

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
