import { useMessages } from '../../language/language';
import type { MessageRecord } from './live-messages';
import { messages } from './messages';

/** As much as a screen reader says of a message. */
const MAX_LENGTH = 300;

/** Reads out messages as they come, and none before it is finished. */
export function Announcement({ finished }: { finished: readonly MessageRecord[] }) {
  const t = useMessages(messages);
  const [message] = finished;
  return (
    <p className="unseen" aria-live="polite">
      {finished.length > 1 && t.transcript.arrived(finished.length)}
      {finished.length === 1 && message && t.transcript.said(message.content.slice(0, MAX_LENGTH))}
    </p>
  );
}
