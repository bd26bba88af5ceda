/** What a caller knows after a request: it has happened, may have happened, or was refused. */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'doubt'; why: string }
  | { kind: 'refused'; status: number; body: unknown };

const TEMPORARY = [429, 502, 503, 504];

/** Whether an answer leaves open what became of the request: another attempt may be under way. */
export const isTemporary = (status: number, body: unknown): boolean =>
  TEMPORARY.includes(status) ||
  (status === 409 && JSON.stringify(body ?? '').includes('idempotency_key_in_use'));

export const describeOutcome = <T>(outcome: Outcome<T>): string =>
  outcome.kind === 'refused' ? `${outcome.status} ${JSON.stringify(outcome.body)}` : outcome.kind;
