import http from 'node:http';

export interface OpenStream {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Waits until the stream has brought a text; rejects where it ends without. */
  until(text: string): Promise<void>;
  /** All of an answer that is no stream. */
  json(): Promise<any>;
  /** What has come so far. */
  read(): string;
  close(): void;
}

/** Where the progress of documents is told. */
export const progressUrl = (address: string, scope: object, documentIds: string[]) =>
  `${address}/trpc/documents.progress?input=${encodeURIComponent(JSON.stringify({ scope, documentIds }))}`;

/** Opens a stream of server-sent events on a connection of its own. */
export function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } });
    request.once('error', reject);
    request.once('response', (answer) => {
      let read = '';
      let isOver = false;
      const waiting = new Set<() => void>();
      const wake = () => {
        for (const one of waiting) one();
      };
      const whenever = (isSo: () => boolean) =>
        new Promise<void>((done) => {
          const look = () => {
            if (!isSo() && !isOver) return;
            waiting.delete(look);
            done();
          };
          waiting.add(look);
          look();
        });
      answer.setEncoding('utf8').on('data', (text: string) => {
        read += text;
        wake();
      });
      answer.on('error', () => {});
      answer.once('close', () => {
        isOver = true;
        wake();
      });
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        async until(text) {
          await whenever(() => read.includes(text));
          if (!read.includes(text)) throw new Error(`the stream ended without ${text}:\n${read}`);
        },
        async json() {
          await whenever(() => false);
          return JSON.parse(read);
        },
        read: () => read,
        close: () => void request.destroy(),
      });
    });
  });
}
