import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { useRefreshKeys } from '../../common/keys/use-refresh-keys';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import type { ApiKey } from './api-key';
import type { Issued } from './issued-dialog';
import { messages } from './messages';

const OVERLAPS = ['0', '1h', '24h', '7d'] as const;

interface RotateDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
  onIssued: (issued: Issued) => void;
}

/** Replaces a key, after asking how long the former one stays valid. */
export function RotateDialog({ apiKey: { id, tenantId, name }, onClose, onIssued }: RotateDialogProps) {
  const t = useMessages(messages);
  const refresh = useRefreshKeys();
  const [overlap, setOverlap] = useState<string>('24h');
  const rotate = useMutation(
    trpc.apiKeys.rotate.mutationOptions({
      // The secret stays in no cache.
      gcTime: 0,
      onSuccess: ({ key, former, ...reach }) => {
        void refresh();
        onIssued({ name, key, formerUntil: former.expiresTime ?? undefined, reach });
      },
    }),
  );
  return (
    <CallDialog
      title={t.rotate.title}
      cancel={t.rotate.cancel}
      submit={t.rotate.confirm}
      call={rotate}
      onSubmit={() => rotate.mutate({ scope: { tenantId }, keyId: id, overlap })}
      onClose={onClose}
    >
      <p>{t.rotate.text(name)}</p>
      <Select
        label={t.rotate.overlap}
        value={overlap}
        options={OVERLAPS.map((value) => ({ value, text: t.rotate.overlaps[value] }))}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </CallDialog>
  );
}
