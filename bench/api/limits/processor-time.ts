import { readdirSync, readFileSync } from 'node:fs';

/** The processor time of all threads of a process so far, in milliseconds. Linux only. */
export function processorTimeOf(processId: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${processId}/task`)) {
    const [running] = readFileSync(`/proc/${processId}/task/${thread}/schedstat`, 'latin1').split(' ');
    nanoseconds += Number(running);
  }
  return nanoseconds / 1e6;
}
