import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { conflict } from '../../errors/errors.js';
import { UsageError } from '../run-command.js';

/** What `npm run build` makes of demo/oidc in a checkout; the package does not have it. */
const PROGRAM = fileURLToPath(new URL('../../../demo/oidc/provider.js', import.meta.url));
/** Of the page in examples/react-oidc. */
const EXAMPLE_ORIGINS = ['http://localhost:5173', 'http://127.0.0.1:5173'];

/** What the process of the provider tells, once. */
export type ProviderMessage = StartedProvider | { failure: string };

interface StartedProvider {
  url: string;
  /** For AUTH_ISSUERS. */
  issuer: object;
  users: { name: string; about: string }[];
}

export interface SignInProvider extends Omit<StartedProvider, 'issuer'> {
  /** With which the server accepts its users. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts an OpenID Connect provider for the server at an address, as a process of its own. */
export async function startSignInProvider(publicUrl: string, port: number): Promise<SignInProvider> {
  if (!existsSync(PROGRAM))
    throw new UsageError('--oidc needs a checkout of Lectern: the package does not have the provider.');
  const examplePages = EXAMPLE_ORIGINS.map((origin) => `${origin}/`);
  const options = JSON.stringify({ port, publicUrl, examplePages });
  // It warns that it is not for production.
  const child = spawn(process.execPath, [PROGRAM, options], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const ended = once(child, 'exit');
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [ProviderMessage | number | null];
  const stop = async () => {
    child.kill();
    await ended;
  };
  if (told === null || typeof told === 'number') throw new Error('The provider did not start.');
  if ('failure' in told) {
    await stop();
    if (told.failure !== 'EADDRINUSE') throw new Error(`The provider did not start: ${told.failure}`);
    throw conflict(`Port ${port}, for the provider, is taken by another program; choose another --port.`, []);
  }
  const { url, issuer, users } = told;
  const env = {
    AUTH_MODE: 'required',
    AUTH_ISSUERS: JSON.stringify(issuer),
    PUBLIC_URL: publicUrl,
    CORS_ORIGINS: EXAMPLE_ORIGINS.join(','),
  };
  return { url, users, env, stop };
}
