import { commands, groups } from '../cli/commands.js';
import { code, codeBlock, formatPage, section, table } from './markdown.js';

/** The page about the program: what each command prints with `--help`. */
export async function commandsPage(): Promise<string> {
  const helps = new Map<string, string>();
  for (const [name, { load }] of commands)
    helps.set(name, await capture(async () => (await load()).run(['--help'])));
  const membersOf = (group?: string) =>
    [...helps].filter(([name]) => groups.find((one) => name.startsWith(`${one.name} `))?.name === group);
  const describe = ([name, help]: [string, string]) =>
    section(`### lectern ${name}`, codeBlock(help, 'text'));
  return formatPage({
    title: 'Commands',
    introduction:
      'The program `lectern` runs the server, and has a command for each task of operation. All configuration is in environment variables; options apply to one run. A command exits with 0, with 1 if it failed, or with 2 if its arguments or the configuration are wrong.',
    sections: [
      table(
        ['Command', 'What it does'],
        [...commands].map(([name, { summary }]) => [
          `[${code(`lectern ${name}`)}](#lectern-${name.replace(' ', '-')})`,
          summary,
        ]),
      ),
      'Without a command, `lectern` runs the server. In a checkout, run `npx lectern`; in a folder with the installed package, `node_modules/.bin/lectern`.',
      ...groups.map(({ name, summary, details }) =>
        section(`## lectern ${name}`, `${summary} ${details}`, ...membersOf(name).map(describe)),
      ),
      section('## Other commands', ...membersOf().map(describe)),
    ],
  });
}

/** What is printed meanwhile. */
async function capture(print: () => Promise<void>): Promise<string> {
  const { write } = process.stdout;
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  try {
    await print();
    return text;
  } finally {
    process.stdout.write = write;
  }
}
