import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { Select } from '../../../ui/field';
import { messages } from '../messages';
import { addressOfExport, type ExportFormat, exportChosen, formatsOf } from './export-file';
import { countOf, type Target } from './steps';

/** Downloads conversations in a file. */
export function ExportDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const t = useMessages(messages);
  const count = countOf(target);
  const shown = useFormat().count(count);
  const [format, setFormat] = useState<ExportFormat>('ndjson');
  const collect = useMutation({ mutationFn: exportChosen, onSuccess: onClose });
  const download = () => {
    if ('conversations' in target) return collect.mutate({ conversations: target.conversations, format });
    const link = document.createElement('a');
    link.href = addressOfExport(target, format);
    link.download = '';
    link.click();
    onClose();
  };
  return (
    <Dialog title={t.bulk.export.title(count, shown)} onClose={onClose}>
      <Select
        label={t.bulk.export.format}
        value={format}
        options={formatsOf(target).map((value) => ({ value, text: t.bulk.export.formats[value] }))}
        onChange={(event) => setFormat(event.target.value as ExportFormat)}
      />
      {collect.error && <CallError error={collect.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.rename.cancel}</Button>
        <Button kind="primary" disabled={collect.isPending} onClick={download}>
          {t.bulk.export.download}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
