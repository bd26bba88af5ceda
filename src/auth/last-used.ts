import type { Database } from '../../db/schema.js';

const INTERVAL_MS = 60_000;

interface LastUsedKey {
  id: string;
  tenantId: string;
  lastUsedTime: Date | null;
}

/**
 * Updates a key's last use, at most once a minute across processes, without delaying the request (best
 * effort).
 */
export function createLastUsedUpdater({ db, onError }: { db: Database; onError: (error: unknown) => void }) {
  const underWay = new Set<string>();

  return (key: LastUsedKey, now: Date): void => {
    const { id, tenantId, lastUsedTime } = key;
    const due = new Date(now.getTime() - INTERVAL_MS);
    if ((lastUsedTime && lastUsedTime > due) || underWay.has(id)) return;
    underWay.add(id);
    key.lastUsedTime = now;
    db.updateTable('apiKeys')
      .set({ lastUsedTime: now })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .where((eb) => eb.or([eb('lastUsedTime', 'is', null), eb('lastUsedTime', '<=', due)]))
      .execute()
      .catch(onError)
      .finally(() => underWay.delete(id));
  };
}
