import type { Span, SpanOptions } from './spans.js';

/** Begins traces. There is none where tracing is off. */
export interface Tracing {
  /** Whether a trace goes on from clients, and to webhooks. */
  propagates: boolean;
  /**
   * Begins a trace, or a span below one of another time or process.
   *
   * @param parent its `traceparent`; one that is malformed begins a trace
   */
  startTrace(name: string, options: SpanOptions & { parent?: string | null | undefined }): Span;
  /** Sends what is left, for at most so long. */
  stop(timeoutMs: number): Promise<void>;
}
