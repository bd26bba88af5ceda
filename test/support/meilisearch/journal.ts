import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';

/** A request to the double. */
export interface WriteRequest {
  method: string;
  /** Path and query. */
  url: string;
  authorization: string | undefined;
  contentType: string;
  text: string;
}

export interface Journal {
  /** Every request so far, in order. */
  read(): WriteRequest[];
  append(request: WriteRequest): void;
}

/** Reads by POST: nothing changes by them. */
const READS = /^\/multi-search$|\/search$|\/documents\/fetch$/;

/** What was written to the double, as lines of a file: it outlives the process, also one that is killed. */
export const openJournal = (file: string): Journal => ({
  read() {
    if (!existsSync(file)) return [];
    const bytes = readFileSync(file);
    // A kill may leave the last line incomplete; its request had no answer.
    const end = bytes.lastIndexOf('\n') + 1;
    truncateSync(file, end);
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as WriteRequest);
  },
  append(request) {
    if (!READS.test(request.url)) appendFileSync(file, `${JSON.stringify(request)}\n`);
  },
});
