import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useScope } from '../../../api/scope';
import { trpc } from '../../../api/trpc';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { LabelForm } from './label-form';
import styles from './labels.module.css';
import { type Label, useRefreshLabels } from './use-labels';

/** A label of the tenant, which can be changed and deleted. */
export function LabelRow({ label }: { label: Label }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const refresh = useRefreshLabels();
  const [isAsking, setAsking] = useState(false);
  const update = useMutation(
    trpc.labels.update.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.labels.saved });
        return refresh();
      },
    }),
  );
  const ref = { scope: { tenantId }, labelId: label.id };
  return (
    <li>
      <LabelForm
        key={`${label.name} ${label.color}`}
        nameLabel={t.labels.name}
        name={label.name}
        color={label.color}
        call={update}
        submit={t.labels.save}
        onSubmit={(fields) => update.mutate({ ...ref, ...fields })}
      >
        <Button aria-label={t.labels.deleteOf(label.name)} onClick={() => setAsking(true)}>
          {t.remove.button}
        </Button>
      </LabelForm>
      {isAsking && <DeleteLabel label={label} onClose={() => setAsking(false)} />}
    </li>
  );
}

/** Asks before a label is taken from its conversations. */
function DeleteLabel({ label, onClose }: { label: Label; onClose: () => void }) {
  const t = useMessages(messages);
  const format = useFormat();
  const { tenantId } = useScope();
  const scope = { tenantId };
  const refresh = useRefreshLabels();
  const labelled = useQuery(
    trpc.conversations.list.queryOptions({ scope, labels: [label.id], page: 1, pageSize: 1 }),
  );
  const remove = useMutation(trpc.labels.delete.mutationOptions({ onSuccess: refresh }));
  const count = labelled.data?.totalCount;
  return (
    <div className={styles.ask} role="alert">
      <span>{count === undefined ? t.loading : t.labels.ask(label.name, count, format.count(count))}</span>
      <Button
        size="small"
        kind="danger"
        disabled={count === undefined || remove.isPending}
        onClick={() => remove.mutate({ scope, labelId: label.id })}
      >
        {t.labels.delete}
      </Button>
      <Button size="small" onClick={onClose}>
        {t.rename.cancel}
      </Button>
      {(remove.error ?? labelled.error) && <CallError error={remove.error ?? labelled.error} />}
    </div>
  );
}
