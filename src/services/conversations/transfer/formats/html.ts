import type { ExportedConversation, ExportedMessage } from '../read-export.js';
import { judgementOf, namesOf, type TranscriptFormat } from './format.js';

/** A page to read or print, which loads and runs nothing. */
export const html: TranscriptFormat = {
  start: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conversations</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { border-top: 1px solid; padding-top: 1rem; font-size: 1.3rem; }
h2 { font-size: 1rem; margin-bottom: 0; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dd { margin: 0; }
p, blockquote { white-space: pre-wrap; overflow-wrap: anywhere; margin-top: 0; }
</style>
</head>
<body>
`,
  end: '</body>\n</html>\n',
  conversation: (c) => `<h1>${escapeHtml(c.topic || c.id)}</h1>
<dl>
<dt>Conversation</dt><dd>${escapeHtml(c.id)}</dd>
<dt>Unit</dt><dd>${escapeHtml(c.tenantUnitId)}</dd>
<dt>Agent</dt><dd>${escapeHtml(c.agentId)}</dd>
<dt>User</dt><dd>${escapeHtml(c.userId)}</dd>
<dt>Status</dt><dd>${escapeHtml(c.status ?? 'none')}</dd>
<dt>Created</dt><dd>${escapeHtml(c.createdTime)}</dd>
${c.labels.length > 0 ? `<dt>Labels</dt><dd>${escapeHtml(namesOf(c.labels))}</dd>\n` : ''}</dl>
${c.reviews.map(toReview).join('')}`,
  message: (m) =>
    `<h2>${escapeHtml(m.messageFrom)}, <time>${escapeHtml(m.requestedTime)}</time>${m.isOpen ? ' (being written)' : ''}</h2>
<p dir="auto">${escapeHtml(m.content)}</p>
${toFeedback(m)}`,
};

const toReview = (r: ExportedConversation['reviews'][number]) =>
  toJudgement('Review', judgementOf(r.verdict, { by: r.reviewedBy, time: r.reviewedTime }), r.note);

const toFeedback = (m: ExportedMessage) =>
  m.feedback === null
    ? ''
    : toJudgement(
        'Feedback',
        judgementOf(m.feedback, { by: m.feedbackBy, time: m.feedbackTime }),
        m.feedbackNote,
      );

const toJudgement = (kind: string, judgement: string, note: string | null) =>
  `<blockquote dir="auto">${kind}: ${escapeHtml(judgement)}${note ? `\n${escapeHtml(note)}` : ''}</blockquote>\n`;

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
