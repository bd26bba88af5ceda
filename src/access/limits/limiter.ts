import type { BucketStore, Limit, Take } from './token-bucket.js';
import { WHATEVER_IS_THERE, wholeSeconds } from './token-bucket.js';

/** What is limited; nothing else is. */
export interface Limits {
  keyRequests?: Limit | undefined;
  tenantRequests?: Limit | undefined;
  keyUploadBytes?: Limit | undefined;
  tenantUploadBytes?: Limit | undefined;
}

/** Who is counted: a key and its tenant, or, where nobody has a key, an address. */
export type Caller = { keyId: string; tenantId: string } | { address: string };

/** What a request takes. */
export interface Cost {
  requests: number;
  /** Of large bodies alone. What is not known yet is charged as it arrives. */
  bodyBytes?: number | undefined;
}

/** A limit that a request came under, and what is left of it. */
export interface Standing {
  policy: string;
  unit: 'requests' | 'content-bytes';
  limit: Limit;
  /** Whole requests or bytes. */
  available: number;
  /** Whole seconds until there is more. */
  seconds: number;
}

export interface Admission {
  granted: boolean;
  standings: Standing[];
  /** The one that was in the way, the longest where there were several. */
  refusal?: Standing;
}

interface Rule extends Pick<Standing, 'policy' | 'unit' | 'limit'> {
  bucket: string;
}

export type Limiter = ReturnType<typeof createLimiter>;

/** Decides which requests are served now, by what their callers have asked for lately. */
export function createLimiter({ store, limits }: { store: BucketStore; limits: Limits }) {
  return { admit, chargeBody };

  /** Takes what the request costs, from all of the caller's buckets or from none. */
  async function admit(caller: Caller, { requests, bodyBytes }: Cost): Promise<Admission> {
    const rules = [
      ...requestRules(caller, limits),
      ...(bodyBytes === undefined ? [] : bodyRules(caller, limits)),
    ];
    if (rules.length === 0) return { granted: true, standings: [] };
    const takes = rules.map(({ bucket, unit, limit }): Take => {
      // More than fits at once would never be served.
      const calls = Math.min(requests, limit.amount);
      if (unit === 'requests') return { bucket, limit, amount: calls, needs: calls };
      // Bodies are served on credit, so that none is too large for its limit.
      return { bucket, limit, amount: bodyBytes ?? 0, needs: 1 };
    });
    const { granted, tokens } = await store.take(takes);
    const told = rules.map((rule, i) => standingOf(rule, tokens[i] ?? 0));
    if (granted) return { granted, standings: told };
    const inTheWay = rules.flatMap((rule, i) => {
      const [level = 0, needs = 0] = [tokens[i], takes[i]?.needs];
      return level < needs
        ? { ...standingOf(rule, level), seconds: wholeSeconds(needs, level, rule.limit) }
        : [];
    });
    const [refusal] = inTheWay.sort((a, b) => b.seconds - a.seconds);
    return { granted, standings: told, ...(refusal && { refusal }) };
  }

  /** Takes bytes that have come already, whether the buckets have them or not. */
  async function chargeBody(caller: Caller, bytes: number): Promise<void> {
    const rules = bodyRules(caller, limits);
    if (rules.length === 0) return;
    await store.take(
      rules.map(({ bucket, limit }) => ({ bucket, limit, amount: bytes, needs: WHATEVER_IS_THERE })),
    );
  }
}

const requestRules = (caller: Caller, limits: Limits): Rule[] =>
  'keyId' in caller
    ? [
        ...rule('key', 'requests', caller.keyId, limits.keyRequests),
        ...rule('tenant', 'requests', caller.tenantId, limits.tenantRequests),
      ]
    : rule('address', 'requests', caller.address, limits.keyRequests);

const bodyRules = (caller: Caller, limits: Limits): Rule[] =>
  'keyId' in caller
    ? [
        ...rule('key-bytes', 'content-bytes', caller.keyId, limits.keyUploadBytes),
        ...rule('tenant-bytes', 'content-bytes', caller.tenantId, limits.tenantUploadBytes),
      ]
    : rule('address-bytes', 'content-bytes', caller.address, limits.keyUploadBytes);

const rule = (policy: string, unit: Rule['unit'], id: string, limit: Limit | undefined): Rule[] =>
  limit ? [{ policy, unit, limit, bucket: `${policy}:${id}` }] : [];

function standingOf({ policy, unit, limit }: Rule, tokens: number): Standing {
  const available = Math.max(0, Math.floor(tokens));
  return { policy, unit, limit, available, seconds: wholeSeconds(available + 1, tokens, limit) };
}
