import { spawnSync } from 'node:child_process';
import { commands } from '../../../src/cli/commands.js';
import { startProgram } from '../../support/run-command.js';
import { atItsLine, type Block } from './read-blocks.js';

/** Files of the checkout, also with wildcards. */
const FILE = /(?<![\w./-])(?:bin|demo|examples|ops|packages)\/[^\s'"]+/g;
const CALL = /\blectern(?:\.js)? ([a-z][^\n#|;&>]*)/g;

/** Checks what can be checked of commands that are not run: syntax, files, and the options of `lectern`. @throws Error */
export async function checkParsed(block: Block): Promise<void> {
  const fail = (problem: string) => {
    throw new Error(`${block.page}:${block.line}: ${problem}\n${block.text}`);
  };
  const parsed = spawnSync('bash', ['-n'], { input: atItsLine(block), encoding: 'utf8' });
  if (parsed.status !== 0) fail(parsed.stderr);
  for (const [file] of block.text.matchAll(FILE))
    if (spawnSync('bash', ['-c', 'compgen -G "$1"', 'bash', file]).status !== 0)
      fail(`${file} does not exist`);
  for (const [, call = ''] of block.text.matchAll(CALL)) {
    const words = call.split(/\s+/);
    const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => commands.has(one));
    if (!name) continue; // A user, a package or a unit of the name.
    const { stdout } = await startProgram([...name.split(' '), '--help'], {}).ended;
    for (const option of call.match(/(?<=\s)--[\w-]+/g) ?? [])
      if (!new RegExp(`${option}\\b`).test(stdout)) fail(`lectern ${name} has no option ${option}`);
  }
}

/** What a checkout that is built needs no more, and alone is left out. */
const INSTALLATION = /^(?:git clone \S+(?: \S+)?|cd \S+|npm ci)(?: *#.*)?$/;

/** @throws Error where a block has anything else to be run */
export function checkInstallation({ page, line, text }: Block): void {
  for (const command of text.split(/\n|&&/).map((one) => one.trim()))
    if (command && !INSTALLATION.test(command))
      throw new Error(`${page}:${line}: is no part of the installation: ${command}`);
}
