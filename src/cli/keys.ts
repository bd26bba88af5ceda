import { formatFields } from './format.js';
import { create } from './keys/create.js';
import { list } from './keys/list.js';
import { revoke } from './keys/revoke.js';
import { rotate } from './keys/rotate.js';
import { runCommand, UsageError } from './run-command.js';

const commands = new Map(Object.entries({ create, list, rotate, revoke }));
const [name = ''] = process.argv.slice(2);

const runNone = () =>
  runCommand(
    `Tends the API keys that callers need where AUTH_MODE=required.

Usage: npm run keys -- <command> [options]

${formatFields([
  ['create', 'makes a key, and shows it once'],
  ['list', 'shows what keys there are, and when each was last used'],
  ['rotate', 'makes a key that takes the place of another'],
  ['revoke', 'ends a key at once'],
])}
Each explains itself: npm run keys -- create --help

The database is the one of DATABASE_URL, else the embedded one in DATA_DIR; a server may be running on it.`,
    async () => {
      throw new UsageError(`Say ${[...commands.keys()].join(', ')}, not "${name}".`);
    },
    { allowPositionals: true, strict: false },
  );

await (commands.get(name) ?? runNone)();
