/** Of what questions may wait, the share that one request with texts takes. */
const SHARE_OF_WAIT = 1 / 3;
/** So many times of that share are too long for questions. */
const LONG = 1.5;
/** Of the last request in the average. */
const NEWEST_WEIGHT = 0.3;

export interface RequestSize {
  /** Characters of the next request: as many as the endpoint works through in the time that questions leave. */
  readonly maxCharacters: number;
  /** Whether requests are short, and one is sent at a time. */
  readonly isShort: boolean;
  /** To leave the endpoint to questions after a request that was too long for them though it was short. */
  readonly pauseMs: number;
  /** That a request with so many characters has taken so long. */
  record(characters: number, tookMs: number): void;
  /**
   * @param questionsSlow whether questions were slow lately
   * @param ping asks for one word
   */
  adapt(questionsSlow: boolean, ping: () => Promise<unknown>): Promise<void>;
}

/**
 * Keeps requests with texts short while questions wait for the same endpoint, which often works through one request after
 * the other. An endpoint that is slow also when it has nothing else to do gains nothing by that, and is sent all.
 *
 * @param questionTimeoutMs after which questions are answered by words
 */
export function createRequestSize(questionTimeoutMs: number): RequestSize {
  const targetMs = questionTimeoutMs * SHARE_OF_WAIT;
  let charactersPerMs: number | undefined;
  let lastTookMs = 0;
  let isShort = false;
  let wereSlow = false;
  return {
    get maxCharacters() {
      // Until the speed is known, a single text.
      return isShort ? (charactersPerMs ?? 0) * targetMs : Number.POSITIVE_INFINITY;
    },
    get isShort() {
      return isShort;
    },
    get pauseMs() {
      return isShort && lastTookMs > LONG * targetMs ? lastTookMs : 0;
    },
    record(characters, tookMs) {
      lastTookMs = tookMs;
      const speed = characters / Math.max(1, tookMs);
      charactersPerMs =
        charactersPerMs === undefined ? speed : charactersPerMs + NEWEST_WEIGHT * (speed - charactersPerMs);
    },
    async adapt(questionsSlow, ping) {
      if (questionsSlow && !wereSlow) {
        const since = performance.now();
        await ping();
        isShort = performance.now() - since < targetMs;
      }
      if (!questionsSlow) isShort = false;
      wereSlow = questionsSlow;
    },
  };
}
