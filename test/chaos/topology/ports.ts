import net from 'node:net';

/** Below the range from which systems take the ports of outgoing connections: it must stay free while a program is away. */
const [FIRST, COUNT] = [20_000, 12_000];

/** A port of 127.0.0.1 at which nobody listens. */
export async function choosePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Whether a server answers 200. */
export const answersOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
