import type { ExporterName, TracingOptions } from '../tracing/tracing-options.js';
import type { Environment } from './environment.js';

export interface TracingConfig extends TracingOptions {
  /** What the variables ask for and is not done, as sentences. */
  objections: string[];
  /** Values of headers, which must not be logged. */
  secrets: string[];
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const NOT_SUPPORTED = 'and no traces are sent there';

/**
 * The standard variables of OpenTelemetry. As it specifies, what is not known in them is ignored, with a warning: they are
 * often set for all programs of a machine.
 *
 * @returns undefined where no exporter and no endpoint is set
 */
export function readTracing(env: Environment): TracingConfig | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  const hasEndpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const names = listOf(env.OTEL_TRACES_EXPORTER ?? (hasEndpoint === undefined ? 'none' : 'otlp'));
  const objections: string[] = [];
  const exporters = names.flatMap((name): ExporterName[] => {
    if (name === 'none') return [];
    if (name === 'console') return ['console'];
    if (name === 'otlp') return readProtocol(env, objections);
    objections.push(`OTEL_TRACES_EXPORTER is ${name}, which is not otlp, console or none, ${NOT_SUPPORTED}.`);
    return [];
  });
  if (exporters.length === 0 && objections.length === 0) return undefined;
  return {
    exporters: [...new Set(exporters)],
    propagates: readPropagates(env, objections),
    objections,
    secrets: headerValues(env),
  };
}

function readProtocol(env: Environment, objections: string[]): ExporterName[] {
  const given = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOCOLS[0];
  const protocol = PROTOCOLS.find((one) => one === given.trim());
  if (protocol) return [protocol];
  objections.push(
    `OTEL_EXPORTER_OTLP_PROTOCOL is ${given}, which is not ${PROTOCOLS.join(' or ')}, ${NOT_SUPPORTED}.`,
  );
  return [];
}

/** Baggage is not used, so that it makes no difference. */
function readPropagates({ OTEL_PROPAGATORS: given }: Environment, objections: string[]): boolean {
  const names = listOf(given ?? 'tracecontext,baggage');
  const unknown = names.filter((name) => !['tracecontext', 'baggage', 'none'].includes(name));
  if (unknown.length > 0)
    objections.push(`OTEL_PROPAGATORS has ${unknown.join(', ')}; only tracecontext is propagated.`);
  return names.includes('tracecontext');
}

/** `name=value` with commas between them. */
const headerValues = (env: Environment): string[] =>
  [env.OTEL_EXPORTER_OTLP_HEADERS, env.OTEL_EXPORTER_OTLP_TRACES_HEADERS]
    .flatMap((list) => listOf(list ?? ''))
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim());

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
