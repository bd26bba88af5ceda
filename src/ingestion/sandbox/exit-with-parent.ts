import { Worker } from 'node:worker_threads';

/** Ends this process when its parent is gone, also while a parser keeps the main thread busy for ever. */
export function exitWithParent(): void {
  const program = `
    const { workerData: parent } = require('node:worker_threads');
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);
  `;
  // Looked up here: when the thread begins at last, another may be the parent already.
  new Worker(program, { eval: true, workerData: process.ppid }).unref();
}
