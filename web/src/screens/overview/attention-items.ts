import { type LinkProps, linkOptions } from '@tanstack/react-router';
import {
  ClipboardCheck,
  DatabaseBackup,
  FileExclamationPoint,
  FileX,
  KeyRound,
  type LucideIcon,
  MessageCircleQuestion,
  SearchX,
  Webhook,
} from 'lucide-react';
import { adviceOf, mayPass } from '../../common/documents/failure-codes';
import type { documentMessages } from '../../common/documents/messages';
import type { messages } from './messages';
import type { Attention } from './use-overview';

export interface Words {
  t: typeof messages.en.attention;
  documents: typeof documentMessages.en;
  duration: (ms: number) => string;
  ago: (iso: string) => string;
}

/** What does not work, what will not work or is late, and what waits for somebody. */
const tones = ['bad', 'busy', 'accent'] as const;

export interface AttentionItem {
  key: string;
  tone: (typeof tones)[number];
  icon: LucideIcon;
  count: { count: number; isLowerBound: boolean };
  /** The sentence, with the number as it is shown. */
  say: (text: string, count: number) => string;
  advice?: string;
  /** Finds a document that is the only one, and has its name in the sentence. */
  single?: { filter: { failureCode: string } | { hasWarnings: true }; say: (name: string) => string };
  /** To the list of exactly what is counted. */
  link: LinkProps;
  /** Why documents failed that may be processed again as they are. */
  again?: { code: string; reason: string };
}

/** A line for each thing that needs attention, the worst first. */
export function attentionItems(attention: Attention, words: Words): AttentionItem[] {
  const items = [
    ...searchItems(attention, words),
    ...documentItems(attention, words),
    ...conversationItems(attention, words),
    ...webhookItems(attention, words),
    ...keyItems(attention, words),
    ...backupItems(attention, words),
  ].filter(({ count }) => count.count > 0);
  return tones.flatMap((tone) => items.filter((item) => item.tone === tone));
}

const exactly = (count: number) => ({ count, isLowerBound: false });

function searchItems({ search }: Attention, { t, duration }: Words): AttentionItem[] {
  if (!search) return [];
  const { isServed, indexBehind, rejected, embeddingBehind, embeddingFailed } = search;
  const late = duration((indexBehind?.oldestSeconds ?? 0) * 1_000);
  const to = { icon: SearchX, link: linkOptions({ to: '/operations' }) };
  return [
    { ...to, key: 'served', tone: 'bad', count: exactly(isServed ? 0 : 1), say: () => t.notServed },
    { ...to, key: 'rejected', tone: 'bad', count: rejected, say: t.rejected },
    { ...to, key: 'embeddingFailed', tone: 'bad', count: embeddingFailed, say: t.embeddingFailed },
    {
      ...to,
      key: 'index',
      tone: 'busy',
      count: indexBehind ?? exactly(0),
      say: (text, count) => t.indexBehind(text, count, late),
    },
    {
      ...to,
      key: 'embedding',
      tone: 'busy',
      count: embeddingBehind ?? exactly(0),
      say: t.embeddingBehind,
    },
  ];
}

function documentItems({ documents: found }: Attention, { t, documents }: Words): AttentionItem[] {
  if (!found) return [];
  const failures = found.failures.map(({ code, count }): AttentionItem => {
    const reason = documents.failures[code] ?? code;
    return {
      key: code,
      tone: 'bad',
      icon: FileX,
      count: exactly(count),
      say: (text) => t.failed(text, count, reason),
      ...(count === 1 && {
        single: { filter: { failureCode: code }, say: (name: string) => t.failedOne(name, reason) },
      }),
      link: linkOptions({ to: '/documents', search: { status: 'failed', reason: code } }),
      ...(mayPass(code) ? { again: { code, reason } } : { advice: documents.advice[adviceOf(code, false)] }),
    };
  });
  return [
    ...failures,
    {
      key: 'warnings',
      tone: 'accent',
      icon: FileExclamationPoint,
      count: found.withWarnings,
      say: t.warnings,
      ...(found.withWarnings.count === 1 && {
        single: { filter: { hasWarnings: true }, say: t.warningsOne },
      }),
      advice: t.warningsAdvice,
      link: linkOptions({ to: '/documents', search: { status: 'warnings' } }),
    },
  ];
}

function conversationItems({ conversations }: Attention, { t }: Words): AttentionItem[] {
  if (!conversations) return [];
  return [
    {
      key: 'input',
      tone: 'accent',
      icon: MessageCircleQuestion,
      count: conversations.inputRequired,
      say: t.inputRequired,
      link: linkOptions({ to: '/conversations', search: { state: 'input-required' } }),
    },
    {
      key: 'review',
      tone: 'accent',
      icon: ClipboardCheck,
      count: conversations.reviewRequested,
      say: t.reviewRequested,
      link: linkOptions({ to: '/conversations', search: { state: 'review-requested' } }),
    },
  ];
}

function webhookItems({ webhooks }: Attention, { t }: Words): AttentionItem[] {
  if (!webhooks) return [];
  return [
    {
      key: 'paused',
      tone: 'bad',
      icon: Webhook,
      count: exactly(webhooks.paused),
      say: t.webhooksPaused,
      advice: t.webhooksPausedAdvice,
      link: linkOptions({ to: '/webhooks', search: { trouble: 'paused' } }),
    },
    {
      key: 'failing',
      tone: 'busy',
      icon: Webhook,
      count: exactly(webhooks.failing),
      say: t.webhooksFailing,
      link: linkOptions({ to: '/webhooks', search: { trouble: 'failing' } }),
    },
  ];
}

function keyItems({ apiKeys }: Attention, { t }: Words): AttentionItem[] {
  if (!apiKeys) return [];
  return [
    {
      key: 'expired',
      tone: 'busy',
      icon: KeyRound,
      count: exactly(apiKeys.expired),
      say: t.keysExpired,
      link: linkOptions({ to: '/keys', search: { expiry: 'past' } }),
    },
    {
      key: 'expiring',
      tone: 'busy',
      icon: KeyRound,
      count: exactly(apiKeys.expiring),
      say: t.keysExpiring,
      advice: t.keysExpiringAdvice,
      link: linkOptions({ to: '/keys', search: { expiry: 'soon' } }),
    },
  ];
}

function backupItems({ backup }: Attention, { t, ago }: Words): AttentionItem[] {
  if (!backup) return [];
  return [
    {
      key: 'backup',
      tone: 'busy',
      icon: DatabaseBackup,
      count: exactly(backup.isOverdue ? 1 : 0),
      say: () => t.backupOverdue(ago(backup.lastTime)),
      advice: t.backupAdvice,
      link: linkOptions({ to: '/operations' }),
    },
  ];
}
