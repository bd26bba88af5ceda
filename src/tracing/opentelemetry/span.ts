import {
  type Context,
  isSpanContextValid,
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { Span, SpanOptions } from '../spans.js';

/** Below a request or a job: a stream may last for hours, and a document have a million chunks. */
const MAX_SPANS = 1_000;

/** How many more spans there may be. */
interface Budget {
  left: number;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Starts a span below that of `traceparent`; without one, or with a malformed one, a trace. */
export function startTrace(
  tracer: Tracer,
  name: string,
  { parent, ...options }: SpanOptions & { parent?: string | null | undefined },
): Span {
  const given = parent ? parseTraceParent(parent) : null;
  const context = given ? trace.setSpanContext(ROOT_CONTEXT, { ...given, isRemote: true }) : ROOT_CONTEXT;
  return startSpan(tracer, name, options, context, { left: MAX_SPANS });
}

function startSpan(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  parent: Context,
  budget: Budget,
): Span {
  budget.left--;
  const { kind, attributes = {}, links = [], startTime } = options;
  const span = tracer.startSpan(
    name,
    {
      ...(kind && { kind: KINDS[kind] }),
      ...(startTime !== undefined && { startTime }),
      attributes,
      links: links.flatMap(toLink),
    },
    parent,
  );
  return wrap(tracer, span, budget);
}

function wrap(tracer: Tracer, span: OtelSpan, budget: Budget): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    get isRecording() {
      return budget.left > 0 && span.isRecording();
    },
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    event: (name, attributes = {}) => void span.addEvent(name, attributes),
    fail(error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', errorTypeOf(error));
    },
    startChild: (name, options = {}) =>
      startSpan(tracer, name, options, trace.setSpan(ROOT_CONTEXT, span), budget),
    end: () => span.end(),
  };
}

function toLink(traceparent: string | null): Link[] {
  const context = traceparent === null ? null : parseTraceParent(traceparent);
  return context && isSpanContextValid(context) ? [{ context }] : [];
}

/** Messages may hold data; codes and the names of classes do not. */
function errorTypeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = [code, name].find((one) => typeof one === 'string' && /^[\w.-]{1,64}$/.test(one));
  return typeof known === 'string' ? known : '_OTHER';
}
