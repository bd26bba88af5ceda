import { spawnSync } from 'node:child_process';
import { commands } from '../../../src/cli/commands.js';
import { startProgram } from '../../support/run-command.js';
import { atItsLine, type Commands } from './read-blocks.js';

/** Files of the checkout, also with wildcards. */
const FILE = /(?<![\w./-])(?:bin|demo|examples|ops|packages)\/[^\s'"]+/g;
const CALL = /\blectern(?:\.js)? ([a-z][^\n#|;&>]*)/g;

/** What would change this machine or checkout: folders outside, packages, containers, services. Lists hide what fails. */
const FORBIDDEN =
  /(?<=^|[\s=>])\/(?!dev\/|tmp\/)\w\S*|\bnpm (?:ci|i|install|link|uninstall|update)\b|\b(?:docker|kubectl|sudo|systemctl)\b|&&/m;
/** Here-documents, strings and comments. */
const NO_COMMANDS = /<<'(\w+)'[\s\S]*?\n\1$|'[^']*'|(?<=^|\s)#.*/gm;
/** What a checkout that is built needs no more, and alone is left out. */
const INSTALLATION = /^(?:git clone \S+(?: \S+)?|cd \S+|npm ci)(?: *#.*)?$/;

/** Checks commands before they are run. @throws Error where bash does not understand them, or they must not be run */
export function checkCommands(block: Commands): void {
  checkSyntax(block);
  const [forbidden] = FORBIDDEN.exec(block.text.replace(NO_COMMANDS, '')) ?? [];
  if (forbidden) fail(block, `commands that are run must not have: ${forbidden}`);
}

function checkSyntax(block: Commands): void {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: atItsLine(block), encoding: 'utf8' });
  if (status !== 0) fail(block, stderr);
}

/** Checks what can be checked of commands that are not run: syntax, files, and the options of `lectern`. @throws Error */
export async function checkParsed(block: Commands): Promise<void> {
  checkSyntax(block);
  for (const [file] of block.text.matchAll(FILE))
    if (spawnSync('bash', ['-c', 'compgen -G "$1"', 'bash', file]).status !== 0)
      fail(block, `${file} does not exist`);
  for (const [, call = ''] of block.text.matchAll(CALL)) {
    const words = call.split(/\s+/);
    const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => commands.has(one));
    if (!name) continue; // A user, a package or a unit of the name.
    const { stdout } = await startProgram([...name.split(' '), '--help'], {}).ended;
    for (const option of call.match(/(?<=\s)--[\w-]+/g) ?? [])
      if (!new RegExp(`${option}\\b`).test(stdout)) fail(block, `lectern ${name} has no option ${option}`);
  }
}

/** @throws Error where a block has anything else to be run */
export function checkInstallation(block: Commands): void {
  for (const command of block.text.split(/\n|&&/).map((one) => one.trim()))
    if (command && !INSTALLATION.test(command)) fail(block, `is no part of the installation: ${command}`);
}

function fail({ page, line, text }: Commands, problem: string): never {
  throw new Error(`${page}:${line}: ${problem}\n${text}`);
}
