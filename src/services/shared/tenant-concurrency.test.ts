import { expect, test } from 'vitest';
import { createTenantConcurrencyLimit } from './tenant-concurrency.js';

test('limits concurrency per tenant, in FIFO order, without blocking other tenants', async () => {
  const inTurn = createTenantConcurrencyLimit(2);
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (tenant: string, name: string) =>
    inTurn(tenant, async () => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const turns = ['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name));
  turns.push(start('b', 'b1'));
  await Promise.resolve();
  expect(log).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')?.();
  await turns[1];
  await expect.poll(() => log).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await expect.poll(() => log).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  ends.get('a4')?.();
  expect(await Promise.all(turns)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('a failed write releases its slot', async () => {
  const inTurn = createTenantConcurrencyLimit(1);
  const failing = inTurn('a', () => Promise.reject(new Error('no')));
  const next = inTurn('a', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
