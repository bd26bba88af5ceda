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

export type AreaLogs = Record<LogArea, Logger>;

/** The log of each area, whose lines name it. */
export function createAreaLogs(log: Logger, { areas }: LogLevels): AreaLogs {
  const of = (area: LogArea) => log.child({ area }, { ...(areas[area] && { level: areas[area] }) });
  return Object.fromEntries(logAreas.map((area) => [area, of(area)])) as AreaLogs;
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
