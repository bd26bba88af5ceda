import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** The part of a terminal stream that is used. */
export interface TerminalOutput {
  isTTY?: boolean;
  hasColors?(): boolean;
  write(text: string): unknown;
}

/** Control characters as escaped in JSON: on a terminal they could run escape sequences. */
const CONTROL = /\\\\|\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|[\u007f-\u009f]/gi;

/** Pretty-prints the log on a terminal; undefined elsewhere, where the log is JSON. */
export function createPrettyLogStream(output: TerminalOutput): DestinationStream | undefined {
  if (!output.isTTY) return undefined;
  const format = prettyFactory({
    colorize: output.hasColors?.() ?? false,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
  return {
    write: (line) => {
      output.write(format(line.replace(CONTROL, (found) => (found === '\\\\' ? found : '�'))));
    },
  };
}
