import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';

/** The database's URL, and further arguments. */
export const [url = '', ...args] = process.argv.slice(2);

const log = pino();

/** Serves on a free port until the benchmark ends, and logs each request. */
export function listen(listener: RequestListener): void {
  const serve: RequestListener = (req, res) => {
    const start = performance.now();
    res.once('close', () => {
      const ms = Math.round(performance.now() - start);
      log.info({ method: req.method, path: req.url, status: res.statusCode, ms }, 'request');
    });
    listener(req, res);
  };
  const server = createServer(serve).listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ address: `http://127.0.0.1:${port}` });
  });
  process.on('disconnect', () => process.exit());
}
