import type { Server } from 'node:http';
import { unavailable } from '../errors/errors.js';
import { listen } from '../http/server-lifecycle.js';

interface Place {
  port: number;
  host: string;
  /** The variables that say so. */
  variables: { port: string; host: string };
}

/** @throws DomainError `unavailable` that names what to change */
export async function listenAt(http: Server, place: Place): Promise<void> {
  try {
    await listen(http, place);
  } catch (error) {
    const reason = describe((error as NodeJS.ErrnoException).code ?? '', place);
    throw reason === undefined ? error : unavailable(reason, error);
  }
}

function describe(code: string, { port, host, variables }: Place): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is taken by another program. Set ${variables.port} to another one, or stop that program.`;
  if (code === 'EACCES')
    return `The user of this process may not listen on port ${port}. Set ${variables.port} to one from 1024 on, with a proxy in front.`;
  if (/^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EINVAL)$/.test(code))
    return `This machine cannot listen on ${host}, which is not its address. Set ${variables.host} to one that it has, such as 127.0.0.1, or 0.0.0.0 for all.`;
  return undefined;
}
