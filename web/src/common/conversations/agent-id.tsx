import { useMessages } from '../../language/language';
import { ShortId } from '../../ui/copy-id';
import { conversationMessages } from './messages';

/** What a conversation has where nobody named its agent. */
const NO_AGENT = '00000000-0000-0000-0000-000000000000';

/** An agent. Nothing says how it is called: it is shown by its id. */
export function AgentId({ id }: { id: string }) {
  const t = useMessages(conversationMessages);
  return id === NO_AGENT ? <span title={id}>{t.noAgent}</span> : <ShortId id={id} of={id} />;
}
