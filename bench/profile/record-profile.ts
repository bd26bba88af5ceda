/** Loaded into a measured process before anything else: starts a CPU profile on a message, and sends it on the next. */
import { Session } from 'node:inspector/promises';

const INTERVAL_MICROSECONDS = 200;

const session = new Session();
session.connect();
process.on('message', async (message) => {
  if (message === 'start profile') {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS });
    await session.post('Profiler.start');
    process.send?.({ started: true });
  }
  if (message === 'stop profile') process.send?.(await session.post('Profiler.stop'));
});
