import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

const CERTIFICATE = path.resolve(import.meta.dirname, '../fixtures/tls');
/** What a client of PostgreSQL sends first, eight bytes, and how it is answered. */
const REQUEST_BYTES = 8;
const WILLING = 'S';

/** Speaks TLS before a PostgreSQL server that has none. */
export async function startTlsDatabase(url: string) {
  const target = new URL(url);
  const key = fs.readFileSync(path.join(CERTIFICATE, 'key.pem'));
  const cert = fs.readFileSync(path.join(CERTIFICATE, 'certificate.pem'));
  const secureContext = tls.createSecureContext({ key, cert });
  const open = new Set<net.Socket>();
  const server = net.createServer((near) => {
    open.add(near);
    near.on('error', () => {}).on('close', () => open.delete(near));
    near.once('readable', () => {
      if (near.read(REQUEST_BYTES) === null) return void near.destroy();
      near.write(WILLING);
      const secure = new tls.TLSSocket(near, { isServer: true, secureContext });
      const far = net.connect(Number(target.port), target.hostname);
      for (const [socket, other] of [
        [secure, far],
        [far, secure],
      ] as const) {
        socket.on('error', () => {}).on('close', () => other.destroy());
        socket.pipe(other);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const secured = new URL(url);
  secured.port = String((server.address() as net.AddressInfo).port);
  secured.search = 'sslmode=no-verify';
  return {
    /** Of the database, encrypted. */
    url: secured.href,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
