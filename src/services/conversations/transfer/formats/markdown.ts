import type { ExportedConversation, ExportedMessage } from '../read-export.js';
import { judgementOf, namesOf, type TranscriptFormat } from './format.js';

/** A transcript to read. Messages are in fenced blocks: what looks like Markdown or HTML in them stays text. */
export const markdown: TranscriptFormat = {
  start: '',
  end: '',
  conversation: (c) => `# ${escapeText(c.topic || c.id)}

- Conversation: ${escapeText(c.id)}
- Unit: ${escapeText(c.tenantUnitId)}
- Agent: ${escapeText(c.agentId)}
- User: ${escapeText(c.userId)}
- Status: ${escapeText(c.status ?? 'none')}
- Created: ${c.createdTime}
${c.labels.length > 0 ? `- Labels: ${escapeText(namesOf(c.labels))}\n` : ''}${c.reviews.map(toReview).join('')}
`,
  message: (m) => {
    const { messageFrom, requestedTime, isOpen, content } = m;
    const fence = fenceFor(content);
    const title = `## ${escapeText(messageFrom)}, ${requestedTime}${isOpen ? ' (being written)' : ''}`;
    return `${title}\n\n${fence}text\n${content}\n${fence}\n\n${toFeedback(m)}`;
  },
};

const toReview = (r: ExportedConversation['reviews'][number]) =>
  `- Review: ${withNote(judgementOf(r.verdict, { by: r.reviewedBy, time: r.reviewedTime }), r.note)}\n`;

const toFeedback = (m: ExportedMessage) =>
  m.feedback === null
    ? ''
    : `Feedback: ${withNote(judgementOf(m.feedback, { by: m.feedbackBy, time: m.feedbackTime }), m.feedbackNote)}\n\n`;

const withNote = (judgement: string, note: string | null) =>
  escapeText(note ? `${judgement}: ${note}` : judgement);

/** Longer than any in the text. */
function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** On one line, and nothing in it means something in Markdown or HTML. */
const escapeText = (text: string): string =>
  text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\\`*_[\]<>&~|#!]/g, '\\$&');
