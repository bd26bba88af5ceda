import { describe, expect, test } from 'vitest';
import { type MessageRecord, noLiveMessages, withEvents } from './live-messages';
import { mergeMessages } from './merge-messages';

/** A message of a second, whose id is its text unless there are others of that second. */
const at = (second: number, id = `m${second}`, content = id): MessageRecord =>
  ({ id, content, status: null, requestedTime: new Date(second * 1_000).toISOString() }) as MessageRecord;
const seconds = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => at(first + place));
const recent = (first: number, last: number, readAt = 0) => ({
  page: last,
  items: seconds(first, last).reverse(),
  readAt,
});
const lived = (messages: MessageRecord[], now = 1) =>
  withEvents(noLiveMessages, [{ messages, texts: [] }], now);
const shown = (...call: Parameters<typeof mergeMessages>) =>
  mergeMessages(...call).blocks.flatMap(({ messages }) => messages.map(({ content }) => content));
const names = (first: number, last: number) => seconds(first, last).map(({ id }) => id);
const fromEnd = { isFromEnd: true, isBeginningRead: false, isEndRead: true };
const fromStart = { isFromEnd: false, isBeginningRead: true, isEndRead: false };

describe('a transcript of pages and events', () => {
  test('has pages from the end in the order of time, then new messages', () => {
    const pages = [recent(31, 60), recent(1, 30)];
    expect(shown(pages, lived([at(61), at(62)]), { ...fromEnd, isBeginningRead: true })).toEqual(
      names(1, 62),
    );
  });

  test('has new messages in blocks, of which only the last one grows', () => {
    const { blocks } = mergeMessages([recent(1, 30)], lived(seconds(31, 95)), fromEnd);
    expect(blocks.map(({ key, messages }) => [key, messages.length])).toEqual([
      ['30', 30],
      ['live 0', 30],
      ['live 1', 30],
      ['live 2', 5],
    ]);
  });

  test('has each message once where later pages were moved by new ones', () => {
    const pages = [recent(61, 90), recent(41, 70), recent(1, 40)];
    expect(shown(pages, lived(seconds(91, 110)), { ...fromEnd, isBeginningRead: true })).toEqual(
      names(1, 110),
    );
    const moved = [recent(61, 90), recent(81, 110), recent(51, 80), recent(21, 50)];
    expect(shown(moved, lived(seconds(91, 110)), fromEnd)).toEqual(names(21, 110));
  });

  test('puts a late message behind those of its time', () => {
    const late = at(45, 'late');
    expect(shown([recent(31, 60)], lived([late]), fromEnd)).toEqual([
      ...names(31, 45),
      'late',
      ...names(46, 60),
    ]);
    const pages = [{ page: 1, items: seconds(31, 60), readAt: 0 }];
    expect(shown(pages, lived([at(1, 'first')]), fromStart)).toEqual(['first', ...names(31, 60)]);
  });

  test('leaves what is beyond the pages to the pages that are still to be read', () => {
    expect(shown([recent(31, 60)], lived([at(2, 'closed')]), fromEnd)).toEqual(names(31, 60));
    const fromStartTo30 = [{ page: 1, items: seconds(1, 30), readAt: 0 }];
    expect(shown(fromStartTo30, lived([at(61)]), fromStart)).toEqual(names(1, 30));
    expect(mergeMessages(fromStartTo30, lived([at(61)]), fromStart).latestId).toBe('m61');
  });

  test('has the later one of what was read and what an event brought', () => {
    const changed = lived([at(30, 'm30', 'changed')], 5);
    expect(shown([recent(29, 30, 4)], changed, fromEnd)).toEqual(['m29', 'changed']);
    expect(shown([recent(29, 30, 6)], changed, fromEnd)).toEqual(['m29', 'm30']);
  });

  test('has all new messages where none were read', () => {
    const none = [{ page: 1, items: [], readAt: 0 }];
    const { blocks } = mergeMessages(none, lived(seconds(1, 31)), { ...fromEnd, isBeginningRead: true });
    expect(blocks.map(({ messages }) => messages.length)).toEqual([30, 1]);
  });
});

test('text is added to a message without changing the others', () => {
  const before = lived([at(1), { ...at(2, 'open', 'It '), status: 'streaming' }]);
  const after = withEvents(before, [{ messages: [], texts: [{ messageId: 'open', text: 'grows' }] }], 2);
  expect(after.byId.get('open')?.message.content).toBe('It grows');
  expect(after.byId.get('m1')).toBe(before.byId.get('m1'));
  expect(after.finished).toBe(before.finished);
});
