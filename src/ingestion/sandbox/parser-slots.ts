type Lane = 'general' | 'small' | 'outstaying';

/** A place among those who parse. */
export interface ParserSlot {
  release(): void;
  /** Gives a reserved slot back where its holder takes longer than small files do, and goes on. */
  outstay(): void;
}

interface Applicant {
  isSmall: boolean;
  /** Whose file it is, if anybody's. */
  tenantId: string | undefined;
}

interface Holder extends Applicant {
  lane: Lane;
}

interface Waiter extends Applicant {
  grant: (holder: Holder) => void;
}

/**
 * Limits how many files are parsed concurrently. Small files have reserved slots and may use the general ones, too; a
 * tenant whose file has outstayed gets no reserved slot meanwhile. Who holds the fewest slots comes first, then who waits
 * longest.
 *
 * @param slots of each kind; `outstaying` is how many small files may go on beyond the others, until a general one is free
 */
export function createParserSlots(slots: Record<Lane, number>) {
  const free = { ...slots };
  const holders = new Set<Holder>();
  const waiting: Waiter[] = [];
  return { acquire };

  /** @throws the reason of `signal` when it fires before there is a slot */
  async function acquire(applicant: Applicant, signal?: AbortSignal): Promise<ParserSlot> {
    signal?.throwIfAborted();
    const holder = await new Promise<Holder>((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        ...applicant,
        grant: (granted) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(granted);
        },
      };
      waiting.push(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
      grantFree();
    });
    return { release: () => release(holder), outstay: () => outstay(holder) };
  }

  function outstay(holder: Holder): void {
    if (holder.lane === 'small' && free.outstaying > 0) move(holder, 'outstaying');
  }

  function release(holder: Holder): void {
    holders.delete(holder);
    free[holder.lane]++;
    const outstaying = [...holders].find(({ lane }) => lane === 'outstaying');
    if (outstaying && free.general > 0) move(outstaying, 'general');
    else grantFree();
  }

  function move(holder: Holder, lane: Lane): void {
    free[holder.lane]++;
    free[lane]--;
    holder.lane = lane;
    grantFree();
  }

  function grantFree(): void {
    for (const lane of ['small', 'general'] as const) {
      for (let next = nextFor(lane); next && free[lane] > 0; next = nextFor(lane)) {
        free[lane]--;
        waiting.splice(waiting.indexOf(next), 1);
        const { isSmall, tenantId, grant } = next;
        const holder = { isSmall, tenantId, lane };
        holders.add(holder);
        grant(holder);
      }
    }
  }

  function nextFor(lane: Lane): Waiter | undefined {
    const held = (waiter: Waiter) => [...holders].filter(({ tenantId }) => tenantId === waiter.tenantId);
    let best: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of waiting) {
      const own = held(waiter);
      const outstays = waiter.tenantId !== undefined && own.some((holder) => holder.lane === 'outstaying');
      if ((lane === 'small' && (!waiter.isSmall || outstays)) || own.length >= fewest) continue;
      best = waiter;
      fewest = own.length;
    }
    return best;
  }
}
