import { Worker } from 'node:worker_threads';

/** Ends this process when its parent is gone, also while a parser keeps the main thread busy for ever. */
export function followParent(): void {
  // Read here: on a busy machine the thread may begin when the parent is gone already.
  const program = `
    const parent = ${process.ppid};
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);
  `;
  new Worker(program, { eval: true }).unref();
}
