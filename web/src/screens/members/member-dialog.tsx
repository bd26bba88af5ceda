import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { MemberFacts } from './member-facts';
import { messages } from './messages';
import { RoleDialog } from './role-dialog';
import { useMember } from './use-members';

interface MemberDialogProps {
  memberId: string;
  onClose: () => void;
}

/** Who a member is, and its role, which can be changed by those who may. */
export function MemberDialog({ memberId, onClose }: MemberDialogProps) {
  const t = useMessages(messages);
  const mayWrite = usePermission('members:write');
  const { data, error, refetch } = useMember(memberId);
  if (data && mayWrite) return <RoleDialog member={data} onClose={onClose} />;
  return (
    <Dialog title={data ? (data.name ?? data.userId) : t.member} onClose={onClose}>
      {error && <CallError error={error} onRetry={refetch} />}
      {!data && !error && <p>{t.loading}</p>}
      {data && <MemberFacts member={data} />}
      <DialogActions>
        <Button onClick={onClose}>{t.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
