import type { Logger } from 'pino';

/** Parts of the log that may have a level of their own. */
export const logAreas = ['requests', 'ingestion', 'search', 'webhooks'] as const;
export type LogArea = (typeof logAreas)[number];

export const logLevelNames = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevelNames)[number];

export interface LogLevels {
  level: LogLevel;
  areas: Partial<Record<LogArea, LogLevel>>;
}

/** The log of an area, whose lines name it. */
export function areaLog(log: Logger, area: LogArea, { areas }: LogLevels): Logger {
  const level = areas[area];
  return log.child({ area }, { ...(level && { level }) });
}

/**
 * Parses a level, with levels of areas after it: `info,requests=warn`.
 *
 * @returns undefined where it is none
 */
export function parseLogLevels(text: string): LogLevels | undefined {
  const [first = '', ...rest] = text.split(',').map((part) => part.trim());
  const level = logLevelNames.find((name) => name === first);
  if (!level) return undefined;
  const areas: LogLevels['areas'] = {};
  for (const part of rest) {
    const [name, value] = part.split('=');
    const area = logAreas.find((one) => one === name);
    const ofArea = logLevelNames.find((one) => one === value);
    if (!area || !ofArea) return undefined;
    areas[area] = ofArea;
  }
  return { level, areas };
}
