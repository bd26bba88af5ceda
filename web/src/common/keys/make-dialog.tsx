import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { readIds } from '../../api/dataset-ids';
import { DatasetsField } from '../../api/datasets-field';
import type { Permission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { type Outputs, trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { TextField } from '../../ui/field';
import { useReasons } from '../../ui/submit-button';
import { tenantWidePermissions } from '../permissions/permissions';
import { type Expiry, ExpiryFields } from './expiry-fields';
import { keyMessages } from './messages';
import { PermissionFields } from './permission-fields';
import { type OwnKey, useRefreshKeys } from './use-refresh-keys';

interface MakeDialogProps {
  /** The unit that is looked at. */
  unit: string | undefined;
  /** The key that the user is signed in with. */
  own: OwnKey | undefined;
  /** What it is called, unless something else is typed. */
  initialName?: string;
  onClose: () => void;
  onIssued: (issued: Outputs['apiKeys']['create']) => void;
}

/** Makes a key. */
export function MakeDialog({ unit = '', own, initialName = '', onClose, onIssued }: MakeDialogProps) {
  const t = useMessages(keyMessages);
  const reasons = useReasons();
  const { tenantId } = useScope();
  const refresh = useRefreshKeys();
  const [name, setName] = useState(initialName);
  const [units, setUnits] = useState(unit);
  const [datasetIds, setDatasetIds] = useState<string[]>([]);
  const [chosen, setChosen] = useState<readonly Permission[]>(['documents:read', 'search']);
  const [expiry, setExpiry] = useState<Expiry>(own?.expiresTime ? {} : { expiresIn: '90d' });
  const create = useMutation(
    trpc.apiKeys.create.mutationOptions({
      // The secret stays in no cache.
      gcTime: 0,
      onSuccess: (issued) => {
        void refresh();
        onIssued(issued);
      },
    }),
  );
  const unitIds = readIds(units);
  const refused = datasetIds.length > 0 ? tenantWidePermissions : [];
  const scopes = chosen.filter(
    (permission) => !refused.includes(permission) && (!own || own.scopes.includes(permission)),
  );
  const lacking = !name.trim() ? t.name : scopes.length === 0 ? t.permissions : undefined;
  const make = () =>
    create.mutate({
      scope: { tenantId, tenantUnitId: unitIds.length > 0 ? unitIds : undefined },
      datasetIds: datasetIds.length > 0 ? datasetIds : undefined,
      scopes,
      name: name.trim(),
      ...expiry,
    });
  return (
    <CallDialog
      title={t.title}
      cancel={t.cancel}
      submit={t.submit}
      call={create}
      reason={lacking && reasons.missing(lacking)}
      onSubmit={make}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        value={name}
        required
        maxLength={255}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <ExpiryFields own={own} expiry={expiry} onChange={setExpiry} />
      <TextField
        label={t.units}
        hint={t.unitsHint}
        value={units}
        spellCheck={false}
        onChange={(event) => setUnits(event.target.value)}
      />
      <DatasetsField label={t.datasets} hint={t.datasetsHint} value={datasetIds} onValue={setDatasetIds} />
      <PermissionFields chosen={scopes} refused={refused} own={own} onChange={setChosen} />
    </CallDialog>
  );
}
