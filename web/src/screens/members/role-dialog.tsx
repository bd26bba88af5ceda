import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { readIds } from '../../api/dataset-ids';
import { DatasetsField } from '../../api/datasets-field';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { tenantWidePermissions } from '../../common/permissions/permissions';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import { useReasons } from '../../ui/submit-button';
import { showToast } from '../../ui/toast';
import { MemberFacts } from './member-facts';
import styles from './members.module.css';
import { messages } from './messages';
import { type Role, roles } from './search-params';
import { type Member, useRefreshMembers, useRoles } from './use-members';

/** Gives a member a role, for some units and datasets where wanted, or takes it away. */
export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const { tenantId } = useScope();
  const refresh = useRefreshMembers();
  const permitted = useRoles().data;
  const before = {
    role: roles.find((one) => one === member.role) ?? null,
    units: member.tenantUnitIds?.join(', ') ?? '',
    datasets: member.datasetIds ?? [],
  };
  const [role, setRole] = useState<Role | null>(before.role);
  const [units, setUnits] = useState(before.units);
  const [datasets, setDatasets] = useState(before.datasets);
  const shown = member.name ?? member.userId;
  const change = useMutation(
    trpc.members.setRole.mutationOptions({
      onSuccess: () => {
        showToast({ text: role ? t.form.given(shown, role) : t.form.withdrawn(shown) });
        void refresh();
        onClose();
      },
    }),
  );
  const isTenantWide =
    permitted
      ?.find((one) => one.role === role)
      ?.permissions.some((permission) => tenantWidePermissions.includes(permission)) ?? false;
  const given = (ids: string[]) => (role && ids.length > 0 ? ids : null);
  const save = () =>
    change.mutate({
      scope: { tenantId },
      memberId: member.id,
      role,
      tenantUnitIds: given(readIds(units)),
      datasetIds: isTenantWide ? null : given(datasets),
    });
  const isChanged =
    role !== before.role || units !== before.units || datasets.join('\n') !== before.datasets.join('\n');
  return (
    <CallDialog
      title={t.form.title(shown)}
      cancel={t.cancel}
      submit={t.form.submit}
      call={change}
      reason={isChanged ? undefined : reasons.unchanged}
      onSubmit={save}
      onClose={onClose}
    >
      <MemberFacts member={member} />
      <Select
        label={t.form.role}
        value={role ?? ''}
        options={[{ value: '', text: t.form.none }, ...roles.map((value) => ({ value, text: value }))]}
        onChange={({ target: { value } }) => setRole(roles.find((one) => one === value) ?? null)}
      />
      <p className={styles.soft}>{role ? t.roles.sentences[role] : t.form.noneHint}</p>
      {role && (
        <TextField
          label={t.form.units}
          hint={t.form.unitsHint}
          value={units}
          spellCheck={false}
          onChange={(event) => setUnits(event.target.value)}
        />
      )}
      {role && !isTenantWide && (
        <DatasetsField
          label={t.form.datasets}
          hint={t.form.datasetsHint}
          value={datasets}
          onValue={setDatasets}
        />
      )}
    </CallDialog>
  );
}
