import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The database's URL, and further arguments. */
export const [url = '', ...args] = process.argv.slice(2);

/** Serves on a free port until the benchmark ends. */
export function listen(listener: RequestListener): void {
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ address: `http://127.0.0.1:${port}` });
  });
  process.on('disconnect', () => process.exit());
}
