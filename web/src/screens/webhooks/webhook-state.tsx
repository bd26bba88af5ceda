import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import type { Webhook } from './events';
import { messages } from './messages';

type State = keyof typeof TONES;
const TONES = {
  sending: 'good',
  failing: 'busy',
  paused: 'bad',
  disabled: 'neutral',
} satisfies Record<string, Tone>;

/** Whether events arrive. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useMessages(messages);
  const state = stateOf(webhook);
  return <Badge tone={TONES[state]}>{t.states[state]}</Badge>;
}

function stateOf({ enabled, pausedTime, failures }: Webhook): State {
  if (!enabled) return 'disabled';
  if (pausedTime) return 'paused';
  return failures > 0 ? 'failing' : 'sending';
}
