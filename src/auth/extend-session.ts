import type { Database } from '../../db/schema.js';
import { sessionExpiry } from './session-expiry.js';

const INTERVAL_MS = 60_000;

interface UsedSession {
  id: string;
  tenantId: string;
  createdTime: Date;
  expiresTime: Date;
}

/** Moves the end of a session that is used, at most once a minute, without delaying the request (best effort). */
export function createSessionExtender({
  db,
  table = 'sessions',
  onError,
}: {
  db: Database;
  table?: 'sessions' | 'userSessions';
  onError: (error: unknown) => void;
}) {
  const underWay = new Set<string>();

  return (session: UsedSession, now: Date): void => {
    const { id, tenantId, createdTime } = session;
    const expiresTime = sessionExpiry(createdTime, now);
    const due = new Date(expiresTime.getTime() - INTERVAL_MS);
    if (session.expiresTime > due || underWay.has(id)) return;
    underWay.add(id);
    session.expiresTime = expiresTime;
    db.updateTable(table)
      .set({ expiresTime })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .where('expiresTime', '<=', due)
      .execute()
      .catch(onError)
      .finally(() => underWay.delete(id));
  };
}
