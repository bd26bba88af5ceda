import { UsageError } from './usage-error.js';

/** The option `--url` of commands that call a server. */
export function readServerUrl(url: string | undefined): URL {
  if (url === undefined) throw new UsageError('Name the server: --url https://lectern.example.');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url must begin with http:// or https://, not "${url}".`);
  }
  const server = new URL(url);
  if (server.username || server.password) {
    throw new UsageError('--url must have no user and password: the API key is in LECTERN_KEY.');
  }
  return server;
}
