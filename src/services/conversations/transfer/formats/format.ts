import type { ExportedConversation, ExportedMessage } from '../read-export.js';

/** How conversations are written into a file. */
export interface TranscriptFormat {
  /** Before all conversations, and after them. */
  start: string;
  end: string;
  conversation(conversation: ExportedConversation): string;
  /** Follows its conversation, or the message before. */
  message(message: ExportedMessage, conversation: ExportedConversation): string;
}

/** For people. */
export const namesOf = (labels: ExportedConversation['labels']): string =>
  labels.map(({ name }) => name).join(', ');

/** Who judged something, and when. A note follows in its own paragraph. */
export const judgementOf = (
  verdict: string,
  { by, time }: { by: string | null; time: string | null },
): string => [verdict, by && `by ${by}`, time].filter(Boolean).join(', ');
