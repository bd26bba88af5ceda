import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../../../api/scope';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { messages } from '../messages';
import { LabelForm } from './label-form';
import { useLabels, useRefreshLabels } from './use-labels';

/** Of new labels, one after another. */
const COLORS = ['#1f6feb', '#d4351c', '#12805c', '#b7791f', '#7c3aed', '#0e7490', '#be185d', '#57606a'];

/** Makes a label of the tenant. */
export function NewLabel({ onMade }: { onMade?: (labelId: string) => void }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const labels = useLabels();
  const refresh = useRefreshLabels();
  const [made, setMade] = useState(0);
  const create = useMutation(
    trpc.labels.create.mutationOptions({
      onSuccess: async ({ id }) => {
        await refresh();
        setMade((count) => count + 1);
        onMade?.(id);
      },
    }),
  );
  const place = labels.data?.length ?? 0;
  return (
    <LabelForm
      key={made}
      nameLabel={t.labels.newName}
      name=""
      color={COLORS[place % COLORS.length] ?? ''}
      call={create}
      submit={t.labels.create}
      onSubmit={(fields) => create.mutate({ scope: { tenantId }, ...fields })}
    />
  );
}
