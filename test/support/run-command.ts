import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '../../db/schema.js';

export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

export type Environment = Record<string, string | undefined>;

export const commandNames = [
  'status',
  'settings',
  'reindex',
  'verify',
  'tasks',
  'query',
  'synonyms',
  'embed',
  'keys',
] as const;
export type CommandName = (typeof commandNames)[number];

/** The built program. */
export const LECTERN = 'dist/program/lectern.js';

/**
 * Begins the built program, with nothing in its environment but what is given.
 *
 * @param program of another version
 * @param input on its standard input
 */
export function startProgram(args: string[], env: Environment, program = LECTERN, input?: string) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
    });
  }
  const ended = new Promise<CommandResult>((resolve) => {
    child.once('close', (status) => resolve({ status, ...written }));
  });
  return { child, written, ended };
}

/** Begins one of the search commands. */
export const startCommand = (name: CommandName, args: string[], env: Environment) =>
  startProgram(['search', name, ...args], env);

export const runCommand = (name: CommandName, args: string[], env: Environment): Promise<CommandResult> =>
  startCommand(name, args, env).ended;

/** The status, and the one document on the standard output. */
export async function runForJson(name: CommandName, args: string[], env: Environment) {
  const { status, stdout, stderr } = await runCommand(name, [...args, '--json'], env);
  if (stdout === '') throw new Error(`search ${name} printed nothing:\n${stderr}`);
  return { status, json: JSON.parse(stdout) };
}

/** Where commands find the database of a test. */
export async function findDatabaseUrl(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${rows[0]?.name}`;
  return url.href;
}
