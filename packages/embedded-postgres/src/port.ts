import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { changeOwner, type DataFolder } from './data-folder.js';

const portFileIn = (folder: string): string => path.join(folder, 'port');

/** The port of last time if it is free, so that pools of other processes find the server again. */
export async function choosePort(folder: string): Promise<number> {
  const last = lastPort(folder);
  if (last && (await isFree(last))) return last;
  for (let attempt = 0; attempt < 100; attempt++) {
    // Below the range from which systems take the ports of outgoing connections.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free TCP port was found on 127.0.0.1');
}

export function rememberPort({ folder, account }: DataFolder, port: number): void {
  if (lastPort(folder) === port) return;
  fs.writeFileSync(portFileIn(folder), `${port}\n`);
  changeOwner(portFileIn(folder), account);
}

export function lastPort(folder: string): number | undefined {
  const file = portFileIn(folder);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
