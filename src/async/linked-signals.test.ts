import { describe, expect, it } from 'vitest';
import { countReachable } from '../../test/support/count-reachable.js';
import { linkedController, withDeadline } from './linked-signals.js';

const reason = new Error('stop');

describe('a linked controller', () => {
  it('fires with each of the others, once, with its reason', () => {
    for (const place of [0, 1]) {
      const sources = [new AbortController(), new AbortController()];
      const { signal } = linkedController(undefined, ...sources.map((source) => source.signal));
      const heard: unknown[] = [];
      signal.addEventListener('abort', () => heard.push(signal.reason));
      expect(signal.aborted).toBe(false);
      sources[place]?.abort(reason);
      for (const source of sources) source.abort(new Error('later'));
      expect([signal.reason, heard]).toEqual([reason, [reason]]);
    }
  });

  it('has fired where one of the others had', () => {
    const { signal } = linkedController(new AbortController().signal, AbortSignal.abort(reason));
    expect(signal.reason).toBe(reason);
  });

  it('can be aborted itself, which the others do not notice', () => {
    const source = new AbortController();
    const { signal, abort } = linkedController(source.signal);
    abort(reason);
    source.abort(new Error('later'));
    expect(signal.reason).toBe(reason);
  });

  it('no longer follows the others when it is unlinked', () => {
    const source = new AbortController();
    const { signal, unlink } = linkedController(source.signal);
    unlink();
    source.abort(reason);
    expect(signal.aborted).toBe(false);
  });

  it('leaves nothing in the others in the end, and warns of no leak meanwhile', async () => {
    const source = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const linkMany = () => Array.from({ length: 100 }, () => linkedController(source.signal));
    for (const { unlink } of linkMany()) unlink();
    const kept = countReachable(source.signal);
    const linked = linkMany();
    expect(countReachable(source.signal)).toBeGreaterThan(kept);
    for (const [i, { abort, unlink }] of linked.entries()) i % 2 ? abort() : unlink();
    expect(countReachable(source.signal)).toBe(kept);
    // Warnings come later.
    await new Promise(setImmediate);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('a deadline', () => {
  const never = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('gives what the work gives, and leaves nothing in the signal', async () => {
    const source = new AbortController();
    await withDeadline(60_000, source.signal, async () => {});
    const kept = countReachable(source.signal);
    expect(await withDeadline(60_000, source.signal, async ({ aborted }) => aborted)).toBe(false);
    await expect(withDeadline(60_000, source.signal, () => Promise.reject(reason))).rejects.toBe(reason);
    expect(countReachable(source.signal)).toBe(kept);
  });

  it('ends the work when its time is over, with the reason that is wanted', async () => {
    await expect(withDeadline(1, undefined, never)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(withDeadline(1, new AbortController().signal, never, () => reason)).rejects.toBe(reason);
  });

  it('ends the work with the signal', async () => {
    const source = new AbortController();
    const work = withDeadline(60_000, source.signal, never);
    source.abort(reason);
    await expect(work).rejects.toBe(reason);
  });
});
