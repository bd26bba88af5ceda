/**
 * The provider of the demonstration as a process of its own: tells its parent where it is, and ends with it.
 * Its argument is JSON.
 */
import type { ProviderMessage } from '../../src/cli/demo/sign-in-provider.js';
import { startDemoProvider } from './demo-provider.js';
import { describeUser, users } from './users.js';

const tell = (message: ProviderMessage) => process.send?.(message);
// Ctrl-C goes to both; the parent says when it is over.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
try {
  const { url, issuer } = await startDemoProvider(JSON.parse(process.argv[2] ?? ''));
  tell({ url, issuer, users: users.map((user) => ({ name: user.name, about: describeUser(user) })) });
} catch (error) {
  tell({ failure: (error as NodeJS.ErrnoException).code ?? String(error) });
}
