import { currentSpan, type Span } from './spans.js';

/** What a line of the log says of its trace, in the names of OpenTelemetry. */
export const traceIds = (span: Span | undefined = currentSpan()): { trace_id?: string; span_id?: string } =>
  span ? { trace_id: span.traceId, span_id: span.spanId } : {};
