import { AsyncLocalStorage } from 'node:async_hooks';

/** Never text of documents, questions, values of statements or keys: they leave the service. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanOptions {
  /** Internal where absent. */
  kind?: 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /** `traceparent` values of other spans that it is about. */
  links?: (string | null)[];
  /** Milliseconds since 1970; now where absent. */
  startTime?: number;
}

/** A span of a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** As in the header of W3C Trace Context. */
  readonly traceparent: string;
  /** Whether it takes spans below it: its trace is sampled, it has not ended, and it has not too many. */
  readonly isRecording: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Something that happened in it. */
  event(name: string, attributes?: SpanAttributes): void;
  /** Marks it as failed, with no more than the kind of the error. */
  fail(error: unknown): void;
  startChild(name: string, options?: SpanOptions): Span;
  end(): void;
}

const active = new AsyncLocalStorage<Span>();

/** The span that the code at hand works for; undefined where tracing is off, and in what no request or job asked for. */
export const currentSpan = (): Span | undefined => active.getStore();

/** Of the current span, to be stored or sent. */
export const currentTraceparent = (): string | null => active.getStore()?.traceparent ?? null;

/** Does `work`, also asynchronously, for this span, which the caller ends. */
export const withSpan = <T>(span: Span, work: () => T): T => active.run(span, work);

/** A callback that works for the span of now, whoever calls it. */
export function bindToSpan<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const span = active.getStore();
  return span ? (...args) => active.run(span, () => work(...args)) : work;
}

/** Does `work` in a span below the current one; where that takes none it only does `work`. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = active.getStore();
  if (!parent?.isRecording) return work(undefined);
  return endWith(parent.startChild(name, options), work);
}

/** Does `work` for the span, and ends it. */
export function endWith<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  return active.run(span, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  });
}
