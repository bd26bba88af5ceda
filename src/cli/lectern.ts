import { commands, type Group, groups } from './commands.js';
import { formatFields } from './shared/format.js';
import { didYouMean } from './shared/nearest.js';

/* The program `lectern`: finds the command, and loads that alone. */

// As SIGPIPE ends other programs: `head`, for one, reads no more than it needs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(141);
  throw error;
});
// Nothing can be told any more; what the program does is not at an end.
process.stderr.on('error', () => {});

const args = process.argv.slice(2);
const [first = '', second = ''] = args;
const group = groups.find(({ name }) => name === first);

if (commands.has(`${first} ${second}`)) {
  await run(`${first} ${second}`, args.slice(2));
} else if (group) {
  describeGroup(group);
} else if (first === '--help' || first === '-h') {
  process.stdout.write(describeProgram());
} else if (first === '--version' || first === '-v') {
  const { version } = await import('../config/version.js');
  process.stdout.write(`${version}\n`);
} else if (first === '' || first.startsWith('-')) {
  await run('serve', args);
} else if (commands.has(first)) {
  await run(first, args.slice(1));
} else {
  const known = new Set([...commands.keys()].map((name) => name.split(' ')[0] ?? ''));
  refuse(`There is no command "${first}".${didYouMean(first, [...known])}`, 'lectern');
}

async function run(name: string, given: string[]): Promise<void> {
  const command = await commands.get(name)?.load();
  await command?.run(given);
}

/** For a group without one of its commands. */
function describeGroup({ name, summary, details }: Group): void {
  const members = [...commands].filter(([full]) => full.startsWith(`${name} `));
  const names = members.map(([full]) => full.slice(name.length + 1));
  const help = `${summary}

Usage: lectern ${name} <command> [options]

${formatFields(members.map(([, command], i) => [names[i] ?? '', command.summary]))}
Each explains itself: lectern ${name} ${names[0]} --help

${details}
`;
  if (args.includes('--help') || args.includes('-h')) process.stdout.write(help);
  else if (second === '') refuse(`Say what: ${names.join(', ')}.`, `lectern ${name}`);
  else refuse(`Say ${names.join(', ')}, not "${second}".${didYouMean(second, names)}`, `lectern ${name}`);
}

function describeProgram(): string {
  return `The administration gateway for conversations and knowledge documents.

Usage: lectern [command] [options]

${formatFields([...commands].map(([name, { summary }]) => [name, summary]))}
Without a command it serves. Each explains itself: lectern serve --help. --version prints the version.
All configuration is in environment variables.
`;
}

/** For what was used wrongly. */
function refuse(sentence: string, command: string): void {
  process.stderr.write(`${sentence}\nSee: ${command} --help\n`);
  process.exitCode = 2;
}
