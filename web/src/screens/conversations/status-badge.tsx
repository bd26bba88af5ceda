import { conversationMessages } from '../../common/conversations/messages';
import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import type { Status } from './search-params';

const TONES: Record<Status, Tone> = {
  submitted: 'neutral',
  running: 'busy',
  'input-required': 'busy',
  'review-requested': 'busy',
  reviewed: 'good',
  succeeded: 'good',
  'partial-succeeded': 'good',
  failed: 'bad',
  stopped: 'neutral',
  canceled: 'neutral',
  unknown: 'neutral',
};

export function StatusBadge({ status }: { status: Status | null }) {
  const states = useMessages(conversationMessages);
  return <Badge tone={status ? TONES[status] : 'neutral'}>{states.statuses[status ?? 'none']}</Badge>;
}
