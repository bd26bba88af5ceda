import { useMessages } from '../../language/language';
import { SecretDialog } from '../../ui/secret-dialog';
import { messages } from './messages';

export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { secret: texts } = useMessages(messages);
  return <SecretDialog {...texts} secret={secret} onClose={onClose} />;
}
