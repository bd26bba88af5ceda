import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** What is used of a terminal, or of what stands in its place. */
export interface TerminalOutput {
  isTTY?: boolean;
  hasColors?(): boolean;
  write(text: string): unknown;
}

/** Escape sequences and the like, as they stand in JSON: on a terminal they could do more than be read. */
const CONTROL = /\\\\|\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|[\u007f-\u009f]/gi;

/** Where lines of the log go on a terminal, where people read them; undefined where programs do, who want JSON. */
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
