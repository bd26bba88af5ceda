import { conversationMessages } from '../../common/conversations/messages';
import { STATUS_TONES } from '../../common/conversations/status-tones';
import { useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import type { Status } from './search-params';

export function StatusBadge({ status }: { status: Status | null }) {
  const states = useMessages(conversationMessages);
  return <Badge tone={STATUS_TONES[status ?? 'none']}>{states.statuses[status ?? 'none']}</Badge>;
}
