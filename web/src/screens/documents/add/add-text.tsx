import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { readDatasets } from '../../../api/dataset-ids';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { DialogActions } from '../../../ui/dialog';
import { TextArea, TextField } from '../../../ui/field';
import styles from '../documents.module.css';
import { messages } from '../messages';
import { useRefreshDocuments } from '../use-documents';
import type { Destination } from './add-dialog';
import { DestinationFields } from './destination-fields';

interface AddTextProps {
  destination: Destination;
  onClose: () => void;
}

/** Adds a text that is typed or pasted. */
export function AddText({ destination, onClose }: AddTextProps) {
  const t = useMessages(messages);
  const refresh = useRefreshDocuments();
  const [name, setName] = useState('');
  const [content, setContent] = useState('');
  const [unit, setUnit] = useState(destination.unit);
  const [datasets, setDatasets] = useState('');
  const create = useMutation(
    trpc.documents.create.mutationOptions({
      onSuccess: () => {
        void refresh();
        onClose();
      },
    }),
  );
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate({
      scope: { tenantId: destination.tenantId, tenantUnitId: unit.trim() },
      documentType: 'UnstructuredFile',
      documentName: name.trim(),
      documentContent: content,
      datasetIds: readDatasets(datasets),
    });
  };
  return (
    <form className={styles.form} onSubmit={add}>
      <TextField
        label={t.add.name}
        value={name}
        required
        maxLength={1_024}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label={t.add.content}
        value={content}
        required
        rows={8}
        onChange={(event) => setContent(event.target.value)}
      />
      <DestinationFields unit={unit} setUnit={setUnit} datasets={datasets} setDatasets={setDatasets} />
      {create.error && <CallError error={create.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.add.cancel}</Button>
        <Button type="submit" kind="primary" disabled={create.isPending}>
          {t.add.submit}
        </Button>
      </DialogActions>
    </form>
  );
}
