import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import type { Webhook } from './events';
import { messages } from './messages';

type State = keyof typeof TONES;
const TONES = {
  active: 'good',
  failing: 'busy',
  waiting: 'busy',
  paused: 'bad',
  disabled: 'neutral',
} satisfies Record<string, Tone>;
const STATES = Object.keys(TONES) as State[];

/** Whether events are sent, and what the last attempt tells of it; not whether there are any. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useMessages(messages);
  const state = stateOf(webhook);
  return <Badge tone={TONES[state]}>{t.states[state]}</Badge>;
}

/** A webhook that waits to try again fails, too. */
export const hasTrouble = (webhook: Webhook, trouble: 'paused' | 'failing'): boolean => {
  const state = stateOf(webhook);
  return state === trouble || (trouble === 'failing' && state === 'waiting');
};

/** From those that work to those that do not. */
export const compareStates = (one: Webhook, other: Webhook): number =>
  STATES.indexOf(stateOf(one)) - STATES.indexOf(stateOf(other));

function stateOf({ enabled, pausedTime, failures, heldUntil }: Webhook): State {
  if (!enabled) return 'disabled';
  if (pausedTime) return 'paused';
  if (failures === 0) return 'active';
  return heldUntil !== null && Date.parse(heldUntil) > Date.now() ? 'waiting' : 'failing';
}
