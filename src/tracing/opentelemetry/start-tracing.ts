import { randomUUID } from 'node:crypto';
import { type DiagLogFunction, DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { withTimeout } from '../../async/timeouts.js';
import type { Tracing } from '../tracing.js';
import type { TracingOptions } from '../tracing-options.js';
import { startTrace } from './span.js';
import { warnSeldom } from './warn-seldom.js';

const EXPORTERS = {
  console: () => new ConsoleSpanExporter(),
  'http/json': () => new JsonExporter(),
  'http/protobuf': () => new ProtobufExporter(),
};

/**
 * Starts to export spans. The SDK reads what `options` do not say from the standard variables. Spans wait in a queue of
 * bounded length, and are dropped where the endpoint does not take them; the log says so now and then.
 */
export function startTracing(
  { exporters, propagates }: TracingOptions,
  version: string,
  log: Logger,
): Tracing {
  const warn = warnSeldom(log);
  const note: DiagLogFunction = (message) => warn(message);
  const ignore: DiagLogFunction = () => {};
  const logger = { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((error) =>
    warn(typeof error === 'string' ? error : (error.message ?? String(error))),
  );

  const own = {
    'service.name': 'lectern',
    'service.version': version,
    'service.instance.id': randomUUID(),
  };
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: exporters.map((name) => new BatchSpanProcessor(EXPORTERS[name]())),
  });
  const tracer = provider.getTracer('lectern', version);
  return {
    propagates,
    startTrace: (name, options) => startTrace(tracer, name, options),
    stop: (timeoutMs) =>
      withTimeout(timeoutMs, provider.shutdown()).catch((error: Error) => warn(error.message)),
  };
}
