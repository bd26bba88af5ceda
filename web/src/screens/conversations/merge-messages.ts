import type { LiveMessages, MessageRecord } from './live-messages';

/** Messages that were read together, the number of their page, and when the read began. */
export interface ReadPage {
  page: number;
  items: readonly MessageRecord[];
  readAt: number;
}

/** Messages that are rendered together. */
export interface MessageBlock {
  key: string;
  messages: MessageRecord[];
}

interface Transcript {
  /** In the order of the transcript. */
  blocks: MessageBlock[];
  /** The last message, also where it is after those that were read. */
  latestId: string | undefined;
}

interface Extent {
  /** Whether the first message of a page is its latest, and each page is before the one that was read earlier. */
  isFromEnd: boolean;
  isBeginningRead: boolean;
  isEndRead: boolean;
}

/** Messages in a block of those that came by events. */
const BLOCK_SIZE = 30;

/** Joins the pages that were read and the messages that came since, each message once. */
export function mergeMessages(
  pages: readonly ReadPage[],
  live: LiveMessages,
  { isFromEnd, isBeginningRead, isEndRead }: Extent,
): Transcript {
  const seen = new Set<string>();
  const firstRead = pages.find(({ items }) => items.length > 0)?.items[0]?.requestedTime ?? '';
  /** Came after the end was read, and moved others to the pages that were read then. */
  const isOfEnd = ({ id, requestedTime }: MessageRecord, place: number) =>
    isFromEnd && place > 0 && requestedTime >= firstRead && live.byId.has(id);
  const blocks = pages
    .map(({ page, items, readAt }, place): MessageBlock => {
      const messages = items
        .filter((message) => !seen.has(message.id) && !isOfEnd(message, place))
        .map((message) => latestOf(message, readAt, live));
      for (const { id } of messages) seen.add(id);
      return { key: String(page), messages: isFromEnd ? messages.reverse() : messages };
    })
    .filter(({ messages }) => messages.length > 0);
  if (isFromEnd) blocks.reverse();
  const end = blocks.at(-1)?.messages.at(-1)?.requestedTime ?? '';
  const tail: MessageRecord[] = [];
  for (const message of [...live.byId.values()].map((one) => one.message).sort(byTime)) {
    if (seen.has(message.id)) continue;
    if (message.requestedTime >= end) tail.push(message);
    // One from before the pages that were read comes with its page.
    else insert(message, blocks, !isBeginningRead);
  }
  const latest = tail.at(-1) ?? blocks.at(-1)?.messages.at(-1);
  return { blocks: isEndRead ? [...blocks, ...inBlocks(tail)] : blocks, latestId: latest?.id };
}

function latestOf(message: MessageRecord, readAt: number, live: LiveMessages): MessageRecord {
  const change = live.byId.get(message.id);
  return change && change.at > readAt ? change.message : message;
}

/** Puts a late message behind those of its time and before. */
function insert(message: MessageRecord, blocks: readonly MessageBlock[], isBeginningMissing: boolean): void {
  const isBefore = ({ requestedTime }: MessageRecord) => requestedTime <= message.requestedTime;
  const block = blocks.findLast(({ messages: [first] }) => first && isBefore(first));
  if (block) block.messages.splice(block.messages.findLastIndex(isBefore) + 1, 0, message);
  else if (!isBeginningMissing) blocks[0]?.messages.unshift(message);
}

function inBlocks(messages: readonly MessageRecord[]): MessageBlock[] {
  return Array.from({ length: Math.ceil(messages.length / BLOCK_SIZE) }, (_, place) => ({
    key: `live ${place}`,
    messages: messages.slice(place * BLOCK_SIZE, (place + 1) * BLOCK_SIZE),
  }));
}

const byTime = (a: MessageRecord, b: MessageRecord) =>
  a.requestedTime < b.requestedTime ? -1 : Number(a.requestedTime > b.requestedTime);
