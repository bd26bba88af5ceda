import { runCommand } from '../run-command.js';
import { formatFields } from '../shared/format.js';
import { readServerUrl } from '../shared/server-url.js';
import { relayMessages } from './relay-messages.js';

const OPTIONS = { options: { url: { type: 'string' } } } as const;

export const run = (args: string[]) =>
  runCommand(
    args,
    `Lets a program on this machine use a Lectern server over MCP: reads messages of the protocol from standard input, sends
them to the server, and writes its answers to standard output. Desktop clients of MCP start it.

Usage: lectern mcp --url URL

${formatFields([
  [
    '--url',
    'address of the server, such as https://lectern.example; ?tenantId=T names the tenant where there are no keys',
  ],
])}
The API key is in the environment variable LECTERN_KEY. The server's answers depend on what the key permits.

Ends with the input, and exits with 0, or with 2 if it is used wrongly. The client gets an error for what fails later. If the
server does not answer, the error is on standard error, too.`,
    async ({ values }) => {
      const { LECTERN_KEY: key } = process.env;
      const server = { endpoint: endpointOf(values.url), key: key || undefined };
      await relayMessages(server, { input: process.stdin, output: process.stdout });
    },
    OPTIONS,
  );

/** The address of MCP on a server. */
function endpointOf(url: string | undefined): URL {
  const endpoint = readServerUrl(url);
  if (endpoint.pathname === '/') endpoint.pathname = '/mcp';
  return endpoint;
}
