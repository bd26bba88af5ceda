import type { LeasePolicy } from './lease-policy.js';

/** What this process knows of a shared bucket, and the tokens that it has leased of it. */
export class Lease {
  #tokens = 0;
  #expiresMs = Number.NEGATIVE_INFINITY;
  /** What the shared bucket held when it was last asked. */
  #level = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  #isRefused = false;
  /** Tokens granted since the bucket was last asked. */
  #used = 0;

  constructor(readonly policy: LeasePolicy) {}

  /** How many tokens can be granted without asking. */
  available(now: number): number {
    return now < this.#expiresMs ? this.#tokens : 0;
  }

  spend(amount: number): void {
    this.#tokens -= amount;
    this.#used += amount;
  }

  /** What the bucket holds by now, leased tokens included, unless others have taken from it. */
  level(now: number): number {
    const { size, tokensPerSecond } = this.policy;
    const refilled = (tokensPerSecond * (now - this.#askedMs)) / 1000;
    return Math.min(size, this.#level + refilled) + this.available(now);
  }

  /** Whether the bucket would refuse, as it has done a moment ago. */
  isRefused(needs: number, now: number): boolean {
    return this.#isRefused && now - this.#askedMs < this.policy.ms && this.level(now) < needs;
  }

  /** How many tokens to lease beside those needed now: as many as are used in the time of a lease. */
  wanted(now: number): number {
    const elapsedMs = Math.max(1, now - this.#askedMs);
    return Math.min(this.policy.tokens, Math.floor((this.#used * this.policy.ms) / elapsedMs));
  }

  /**
   * Gives up the tokens, to be returned to the shared bucket. Since the lease has ended, this may have refilled and been
   * full: what it would not have held is lost.
   */
  release(now: number): number {
    const overdueMs = Math.max(0, now - this.#expiresMs);
    const tokens = Math.floor(this.#tokens - (this.policy.tokensPerSecond * overdueMs) / 1000);
    this.#tokens = 0;
    return Math.max(0, tokens);
  }

  /** @param askedMs when the bucket was asked: a lease begins there, however late the answer */
  renew(askedMs: number, answer: { level: number; tokens: number; granted: number | undefined }): void {
    this.#isRefused = answer.granted === undefined;
    this.#tokens = answer.tokens;
    this.#expiresMs = askedMs + this.policy.ms;
    this.#level = answer.level;
    this.#askedMs = askedMs;
    this.#used = answer.granted ?? 0;
  }

  hasExpiredTokens(now: number): boolean {
    return this.#tokens > 0 && now >= this.#expiresMs;
  }

  /** Whether it says nothing that matters any more. */
  isForgettable(now: number): boolean {
    return this.#tokens === 0 && now - this.#askedMs > FORGET_AFTER_LEASES * this.policy.ms;
  }
}

const FORGET_AFTER_LEASES = 4;
