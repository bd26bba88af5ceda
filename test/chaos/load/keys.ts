import { setTimeout as delay } from 'node:timers/promises';
import { KEY_CACHE_MS } from '../../../src/auth/key-cache.js';
import type { KeyModel } from '../model/keys.js';
import { createRegister } from '../model/register.js';
import type { Client } from './client-context.js';
import { outcomeOf } from './typed-calls.js';

const MANY = 12;
/** How long a key that should work is tried while servers come and go. */
const ATTEMPTS = 3;

/** Makes, rotates and revokes API keys, and tries those of which it is known whether they work. */
export function createKeyChanges(client: Client) {
  const { lectern, random, model, tenantId, name, write } = client;
  const own: KeyModel[] = [];
  const scope = { tenantId };
  let made = 0;

  async function create(): Promise<void> {
    const label = `${name}-key-${++made}`;
    const send = () =>
      outcomeOf(lectern.trpc.apiKeys.create.mutate({ scope, scopes: ['conversations:read'], name: label }));
    await write({ what: `the creation of ${label}`, send, onDone: (issued) => add(issued) });
  }

  function add({ id, key }: { id: string; key: string }): void {
    const one = { id, key, tenantId, works: createRegister(true) };
    own.push(one);
    model.keys.push(one);
  }

  async function rotate(one: KeyModel): Promise<void> {
    const change = one.works.change(false);
    // Not repeated: a second rotation is another one, and refused.
    const outcome = await outcomeOf(
      lectern.trpc.apiKeys.rotate.mutate({ scope, keyId: one.id, overlap: '0s' }),
    );
    if (outcome.kind !== 'done') return;
    change.acknowledge();
    client.counts.acknowledged++;
    add(outcome.value);
  }

  async function revoke(one: KeyModel): Promise<void> {
    await write({
      what: `the revocation of ${one.id}`,
      send: (key) =>
        outcomeOf(
          lectern.trpc.apiKeys.revoke.mutate({ scope, keyId: one.id }, { context: { idempotencyKey: key } }),
        ),
      changes: [one.works.change(false)],
    });
  }

  return {
    async change(): Promise<void> {
      const working = own.filter(({ works }) => works.value && works.isCertain());
      if (own.length > 0 && random.next() < 0.5) await tryKey(client, random.oneOf(own));
      else if (working.length < MANY && random.next() < 0.5) await create();
      else if (working.length > 0) await (random.next() < 0.4 ? rotate : revoke)(random.oneOf(working));
    },
  };
}

/** Calls with a key, and compares whether it works with what is known. */
export async function tryKey(
  { traffic, model }: Pick<Client, 'traffic' | 'model'>,
  { id, key, tenantId, works }: KeyModel,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const status = await traffic
      .fetch(`http://lectern/admin/api/v2/conversations?tenant_id=${tenantId}&page_size=1`, {
        headers: { 'X-Api-Key': key },
      })
      .then(
        (response) => response.status,
        () => undefined,
      );
    if (status === 200 || status === 401) {
      const wasCertain = works.isCertain();
      if (works.see(status === 200)) {
        // A revocation that was not answered has not waited until every server knows it.
        if (!wasCertain) await delay(KEY_CACHE_MS);
        return true;
      }
      model.faults.push(`the key ${id} ${status === 200 ? 'works, though it was revoked' : 'does not work'}`);
      return false;
    }
    await delay(500);
  }
  return false;
}
