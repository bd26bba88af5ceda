import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useScope } from '../../api/scope';
import { client, trpc } from '../../api/trpc';
import { type FollowEvent, noLiveMessages, withEvents } from './live-messages';
import { useRefreshFollowed } from './use-conversations';

/** Many messages may come at once: they are rendered together. */
const COLLECTING_MS = 100;
/** Until it connects again after a refusal; twice as long each time. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** Where events cannot come through, messages are read without them. */
const PATIENCE_MS = 2_000;

/** Whether messages come as they are stored; undefined until the first connection. */
export type Connection = 'live' | 'reconnecting' | undefined;

/** The messages of a conversation from now on, from a stream that is opened again wherever it breaks. */
export function useLiveMessages(conversationId: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const [messages, setMessages] = useState(noLiveMessages);
  const [connection, setConnection] = useState<Connection>();
  // Whatever was read before this moment may lack messages.
  const [since, setSince] = useState<number>();
  const [isPatient, setPatient] = useState(true);
  const refresh = useRefreshFollowed(conversationId);
  const collected = useRef<FollowEvent[]>([]);
  const show = useEffectEvent(() => {
    const events = collected.current.splice(0);
    setMessages((before) => withEvents(before, events, performance.now()));
    if (events.some((event) => event.messages.length > 0)) refresh();
  });
  /** It was deleted, or refused: reading it tells. */
  const readAgain = useEffectEvent(() => {
    const { get, list } = trpc.conversations;
    for (const queryKey of [get.queryKey({ scope, conversationId }), list.queryKey()])
      void queryClient.invalidateQueries({ queryKey });
  });
  const { tenantId, tenantUnitId } = scope;
  useEffect(() => {
    let lastEventId: string | undefined;
    let failures = 0;
    let subscription: { unsubscribe(): void } | undefined;
    let isOver = false;
    let showing: ReturnType<typeof setTimeout> | undefined;
    let retrying: ReturnType<typeof setTimeout> | undefined;
    const patience = setTimeout(() => setPatient(false), PATIENCE_MS);
    const connectLater = () => {
      if (isOver) return;
      setConnection('reconnecting');
      setPatient(false);
      readAgain();
      retrying = setTimeout(connect, Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures));
      failures += 1;
    };
    const connect = () => {
      subscription = client.messages.follow.subscribe(
        { scope: { tenantId, tenantUnitId }, conversationId, last: 0, lastEventId },
        {
          onData: ({ id, data }) => {
            if (lastEventId === undefined) setSince(performance.now());
            lastEventId = id;
            failures = 0;
            collected.current.push(data);
            showing ??= setTimeout(() => {
              showing = undefined;
              show();
            }, COLLECTING_MS);
          },
          onConnectionStateChange: ({ state, error }) => {
            if (state === 'pending') setConnection('live');
            else if (state === 'connecting' && error) setConnection('reconnecting');
          },
          onComplete: connectLater,
          onError: connectLater,
        },
      );
    };
    connect();
    return () => {
      isOver = true;
      subscription?.unsubscribe();
      for (const timer of [patience, showing, retrying]) clearTimeout(timer);
    };
  }, [conversationId, tenantId, tenantUnitId]);
  return { messages, connection, since, isReady: since !== undefined || !isPatient };
}
