import { execFile } from 'node:child_process';

/** The system account that runs the server; undefined means our own. */
export type Account = { uid: number; gid: number } | undefined;

/** Children see none of our environment, so a stray PGDATA or PGOPTIONS cannot reach the server. */
export const childEnv = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/** Runs a program to its end as `account`, from `/` because that account may not see our own folder. */
export function runProgram(
  file: string,
  args: string[],
  account?: Account,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const options = { ...account, cwd: '/', env: childEnv, timeout: 60_000, killSignal: 'SIGKILL' } as const;
    execFile(file, args, options, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      resolve({ ok: !error, output: said || (error?.message ?? '') });
    });
  });
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
