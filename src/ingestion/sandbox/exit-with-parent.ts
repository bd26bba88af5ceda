import { Worker } from 'node:worker_threads';

/** Exits when the parent process ends, even while a parser blocks the main thread. */
export function exitWithParent(): void {
  const program = `
    const { workerData: parent } = require('node:worker_threads');
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);
  `;
  // Read here: by the time the thread starts, the parent may have changed.
  new Worker(program, { eval: true, workerData: process.ppid }).unref();
}
