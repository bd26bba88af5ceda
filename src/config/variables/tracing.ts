import { z } from 'zod';
import { group } from './group.js';

const given = z.string().optional();

/** The standard variables of OpenTelemetry. */
export const tracing = group({
  title: 'Traces',
  note: 'These are the standard variables of OpenTelemetry (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Without an endpoint or an exporter there are no traces. With OTEL_TRACES_SAMPLER=parentbased_traceidratio and OTEL_TRACES_SAMPLER_ARG=0.05, Lectern samples one of 20 traces, and all traces that a client has sampled. Without "parentbased_", Lectern ignores what clients decide.',
  variables: {
    OTEL_EXPORTER_OTLP_ENDPOINT: given.meta({
      description: 'Endpoint for OTLP over HTTP.',
      examples: ['http://127.0.0.1:4318'],
    }),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: given.meta({
      description: 'The same for traces only, with the path.',
      examples: ['http://127.0.0.1:4318/v1/traces'],
    }),
    OTEL_EXPORTER_OTLP_PROTOCOL: given.meta({
      description: 'http/protobuf or http/json.',
      fallback: 'http/protobuf',
      examples: ['http/protobuf'],
    }),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: given.meta({
      description: 'The same for traces only.',
      fallback: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      examples: ['http/protobuf'],
    }),
    OTEL_EXPORTER_OTLP_HEADERS: given.describe(
      'Headers as name=value, separated by commas. They are not logged.',
    ),
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: given.describe('The same for traces only.'),
    OTEL_TRACES_EXPORTER: given.meta({
      description: 'otlp, console or none.',
      fallback: 'otlp if an endpoint is set, otherwise none',
      examples: ['otlp'],
    }),
    OTEL_PROPAGATORS: given.meta({
      description: 'none: Lectern does not continue traces of clients, and webhooks get no traceparent.',
      fallback: 'tracecontext,baggage',
      examples: ['tracecontext,baggage'],
    }),
    OTEL_SDK_DISABLED: given.meta({
      description: 'true switches traces off.',
      fallback: 'false',
      examples: ['false'],
    }),
  },
  ofLibraries: {
    OTEL_EXPORTER_OTLP_TIMEOUT: {
      description: 'Timeout of an export, in milliseconds.',
      examples: ['10000'],
    },
    OTEL_SERVICE_NAME: { description: 'Name of the service in traces.', examples: ['lectern'] },
    OTEL_RESOURCE_ATTRIBUTES: {
      description: 'Further attributes of the process.',
      examples: ['deployment.environment.name=production'],
    },
    OTEL_TRACES_SAMPLER: { description: 'Which traces are sampled.', examples: ['parentbased_traceidratio'] },
    OTEL_TRACES_SAMPLER_ARG: { description: 'Share of sampled traces.', examples: ['0.05'] },
    OTEL_BSP_MAX_QUEUE_SIZE: { description: 'Maximum spans that wait to be sent.', examples: ['2048'] },
    OTEL_BSP_SCHEDULE_DELAY: { description: 'Milliseconds until spans are sent.', examples: ['5000'] },
  },
});
