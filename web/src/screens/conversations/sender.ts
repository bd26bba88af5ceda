import type { en } from './messages.en';

/** Who wrote a message, in words. A runtime may write any name, also that of what every object has. */
export const senderOf = (
  messageFrom: string,
  { transcript: { senders } }: Pick<typeof en, 'transcript'>,
): string =>
  Object.hasOwn(senders, messageFrom) ? senders[messageFrom as keyof typeof senders] : messageFrom;
