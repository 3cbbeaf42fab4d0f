import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { newId } from '../../ids.ts';
import type { Saving } from '../../saving.ts';
import type { Store } from '../../store.ts';
import { patient } from '../../testing/patient.ts';
import { aGroup, aKapsule, anAuditEntry, aUser } from '../../testing/samples.ts';
import { open } from './open.ts';

const COUNTER = 'SELECT 1 FROM kapsule_data.granule_counts WHERE kapsule_id = $1 FOR UPDATE';
const row = (key: string) => ({ key, user: 'ann', data: { comment: key } });
const saving = (kapsuleId: string, key: string): Saving => ({
  kapsuleId,
  rows: [row(key)],
  dependsOn: [],
  entry: anAuditEntry('granule.upsert', { target: `kapsule:${kapsuleId}` }),
});

describe.runIf(hasPostgres())('units of work on PostgreSQL', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres();
    store = await open(patient(server.config));
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  /** A transaction that stays open, holding what the statement locks, until it is released. */
  async function held(sql: string, ...values: unknown[]): Promise<() => Promise<void>> {
    const client = new Client(server.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query(sql, values);
    let ended: Promise<void> | undefined;
    const release = () => (ended ??= client.end());
    onTestFinished(release);
    return release;
  }

  const logIn = async (name: string) => {
    const user = await store.users.insert(aUser(name));
    return store.transaction(async (unit) => {
      const current = await unit.users.get(user.id);
      await unit.users.patch(user.id, { loginAttempts: (current?.loginAttempts ?? 0) + 1 });
      await unit.audit.insert(anAuditEntry('session.login'));
    });
  };

  it('do not wait for a save in progress, nor do saves of other kapsules and imports into them', async () => {
    const [busy, other, imported] = [newId(), newId(), newId()];
    await store.save(saving(busy, 'a'));
    const release = await held(COUNTER, busy);
    const waiting = store.save(saving(busy, 'b'));
    // Two more units wait for the kapsule than the instance has connections for units.
    const units = Array.from({ length: 6 }, (_, n) =>
      store.transaction((unit) => unit.granules.upsert(busy, [row(`unit ${n}`)])),
    );
    await logIn('during a save');
    await store.save(saving(other, 'a'));
    await store.granules.importAll(imported, [row('a')], async () => undefined);
    expect(await store.granules.counts(busy)).toMatchObject({ total: 1 });
    await release();
    await Promise.all([waiting, ...units]);
    expect(await store.granules.counts(busy)).toMatchObject({ total: 8 });
  });

  it('do not wait for a unit that has changed other documents', async () => {
    const { id } = await store.users.insert(aUser('held'));
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const unit = store.transaction(async (nouns) => {
      await nouns.users.patch(id, { loginAttempts: 1 });
      begin();
      await end;
    });
    await begun;
    await logIn('beside another unit');
    await store.groups.insert(aGroup('beside'));
    expect(await store.users.get(id)).toMatchObject({ loginAttempts: 0 });
    resolve();
    await unit;
    expect(await store.users.get(id)).toMatchObject({ loginAttempts: 1 });
  });

  it('keep a rule that spans documents: one of two administrators stays', async () => {
    const second = await open(patient(server.config));
    onTestFinished(() => second.close());
    for (const round of [1, 2, 3, 4, 5]) {
      const admins = await Promise.all(
        ['a', 'b'].map((name) => store.users.insert(aUser(`${name}${round}`, { role: 'ADMIN' }))),
      );
      const { promise: bothRead, resolve } = Promise.withResolvers<void>();
      let reads = 0;
      const demote = (on: Store, id: string) =>
        on.transaction(async (unit) => {
          const left = await unit.users.findBy('role', 'ADMIN');
          reads += 1;
          if (reads === 2) resolve();
          await bothRead;
          if (left.length > 1) await unit.users.patch(id, { role: 'USER' });
        });
      await Promise.all(admins.map(({ id }, n) => demote(n === 0 ? store : second, id)));
      const left = await store.users.findBy('role', 'ADMIN');
      expect(left).toHaveLength(1);
      await store.users.patch(left[0]?.id ?? '', { role: 'USER' });
    }
  });

  it('get their turn in a kapsule that saves keep busy', async () => {
    const { id } = await store.kapsules.insert(aKapsule('Busy', newId()));
    const second = await open(patient(server.config));
    onTestFinished(() => second.close());
    const over = new AbortController();
    let saves = 0;
    const save = async (writer: number) => {
      while (!over.signal.aborted) {
        await store.save(saving(id, `${writer} ${saves}`));
        saves += 1;
      }
    };
    const saving4 = Promise.all([1, 2, 3, 4].map(save));
    // Asked for outside of the unit, in which only the unit's own nouns may write.
    const { promise: read, resolve: hasRead } = Promise.withResolvers<void>();
    const overtaking = read.then(() => second.save(saving(id, 'overtakes')));
    let attempts = 0;
    await store.transaction(async (unit) => {
      await unit.kapsules.get(id);
      attempts += 1;
      // The first attempt is overtaken: a save that began after its snapshot commits.
      hasRead();
      await overtaking;
      await unit.granules.upsert(id, [row('unit')]);
    });
    expect(attempts).toBeGreaterThan(1);
    over.abort();
    await saving4;
    expect(await store.granules.counts(id)).toMatchObject({ total: saves + 2 });
  });
});
