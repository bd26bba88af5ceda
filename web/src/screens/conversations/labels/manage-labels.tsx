import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useScope } from '../../../api/scope';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { messages } from '../messages';
import { LabelForm } from './label-form';
import { LabelRow } from './label-row';
import styles from './labels.module.css';
import { useLabels, useRefreshLabels } from './use-labels';

/** Of new labels, one after another. */
const COLORS = ['#1f6feb', '#d4351c', '#12805c', '#b7791f', '#7c3aed', '#0e7490', '#be185d', '#57606a'];

/** The labels of the tenant: new ones, names, colours. */
export function ManageLabels({ onClose }: { onClose: () => void }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const labels = useLabels();
  const refresh = useRefreshLabels();
  const [made, setMade] = useState(0);
  const create = useMutation(
    trpc.labels.create.mutationOptions({
      onSuccess: async () => {
        await refresh();
        setMade((count) => count + 1);
      },
    }),
  );
  const place = labels.data?.length ?? 0;
  return (
    <Dialog title={t.labels.manage} onClose={onClose}>
      {labels.error && <CallError error={labels.error} onRetry={labels.refetch} />}
      <ul className={styles.rows}>
        {labels.data?.map((label) => (
          <LabelRow key={label.id} label={label} />
        ))}
      </ul>
      <LabelForm
        key={made}
        nameLabel={t.labels.newName}
        name=""
        color={COLORS[place % COLORS.length] ?? ''}
        call={create}
        submit={t.labels.create}
        onSubmit={(fields) => create.mutate({ scope: { tenantId }, ...fields })}
      />
      <DialogActions>
        <Button onClick={onClose}>{t.labels.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
