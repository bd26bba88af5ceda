import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { version } from '../config/version.js';
import type { Tracing } from '../tracing/tracing.js';

/** Starts tracing where the environment asks for it. OpenTelemetry is loaded only then. */
export async function createTracing({ tracing }: Config, log: Logger): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  for (const objection of tracing.objections) log.warn(objection);
  if (tracing.exporters.length === 0) return undefined;
  const { startTracing } = await import('../tracing/opentelemetry/start-tracing.js');
  return startTracing(tracing, version, log);
}
