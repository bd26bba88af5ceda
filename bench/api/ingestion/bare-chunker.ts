import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./bare-chunking.js', import.meta.url));

export interface BareChunker {
  /** Makes chunks of files, one after another. */
  chunk(files: string[]): Promise<{ milliseconds: number; chunks: number }>;
  stop(): void;
}

/** Starts a process with nothing but the parser and the splitter. */
export function startBareChunker(): BareChunker {
  const child = fork(PROGRAM);
  return {
    async chunk(files) {
      child.send(files);
      const [answer] = await once(child, 'message');
      return answer;
    },
    stop: () => void child.kill(),
  };
}
