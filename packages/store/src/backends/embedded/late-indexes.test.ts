import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nouns } from '../../nouns/all.ts';
import { anAuditEntry } from '../../testing/samples.ts';
import type { Connection } from './connection.ts';
import { DocumentTable } from './documents.ts';
import { indexedThrough } from './late-indexes.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';
import { setWaitingWrites, WaitingWrites } from './waiting-writes.ts';
import { openForWriting } from './writer-connection.ts';

const idOf = (number: number) => String(number).padStart(24, '0');

function auditTable(): { connection: Connection; table: DocumentTable; put: (...numbers: number[]) => void } {
  const connection = openForWriting(temporaryFile(), true);
  const table = new DocumentTable(connection, nouns.audit, readActiveSchema(connection).schema);
  const put = (...numbers: number[]) => {
    for (const number of numbers) {
      const actorId = number % 2 === 0 ? 'even' : 'odd';
      table.insert(JSON.stringify(anAuditEntry('x', { id: idOf(number), actorId })));
    }
  };
  return { connection, table, put };
}

const numbers = (docs: string[]) => docs.map((doc) => Number((JSON.parse(doc) as { id: string }).id));
const entries = (connection: Connection) =>
  (connection.get("SELECT count(*) AS n FROM audit_index WHERE field = 'actorId'") as { n: number }).n;

describe('indexes of audit entries', () => {
  it('are made later, and reads find the same before and after', () => {
    const { connection, table, put } = auditTable();
    put(1, 2, 3, 4);
    expect(entries(connection)).toBe(0);
    const look = () => {
      const where = { actorId: 'even' };
      return [
        numbers(table.findBy('actorId', 'even')),
        numbers(table.recent({ where, limit: 2 })),
        numbers(table.recent({ where, limit: 9, before: idOf(6) })),
      ];
    };
    put(5, 6, 7, 8);
    const wanted = [
      [2, 4, 6, 8],
      [8, 6],
      [4, 2],
    ];
    expect(look()).toEqual(wanted);
    expect(table.indexMore()).toBe(true);
    expect([look(), entries(connection), indexedThrough(connection)]).toEqual([wanted, 8, idOf(8)]);
    expect(table.indexMore()).toBe(false);
    put(10);
    expect(numbers(table.recent({ where: { actorId: 'even' }, limit: 3 }))).toEqual([10, 8, 6]);
    connection.close();
  });

  it('know an entry that comes late, with an id that they have passed', () => {
    const { connection, table, put } = auditTable();
    put(1, 5);
    table.indexMore();
    put(4, 6);
    expect(numbers(table.findBy('actorId', 'even'))).toEqual([4, 6]);
    table.indexMore();
    expect(numbers(table.findBy('actorId', 'even'))).toEqual([4, 6]);
    connection.close();
  });

  it('follow a change and a removal, indexed or not', () => {
    const { connection, table, put } = auditTable();
    put(1, 2);
    table.indexMore();
    put(3, 4);
    for (const number of [1, 3]) table.patch(idOf(number), JSON.stringify({ actorId: 'even' }));
    for (const number of [2, 4]) table.remove(idOf(number));
    expect(numbers(table.findBy('actorId', 'even'))).toEqual([1, 3]);
    table.indexMore();
    expect([numbers(table.findBy('actorId', 'even')), table.findBy('actorId', 'odd')]).toEqual([[1, 3], []]);
    connection.close();
  });

  it('are made by an idle store once there are many entries', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    await store.transaction(async (unit) => {
      for (let n = 0; n < 150; n += 1) await unit.audit.insert(anAuditEntry('x', { actorId: 'ann' }));
    });
    using connection = new DatabaseSync(file, { readOnly: true });
    const indexed = connection.prepare("SELECT count(*) AS n FROM audit_index WHERE field = 'actorId'");
    await vi.waitFor(() => expect(indexed.get()).toEqual({ n: 150 }), { interval: 10 });
    expect(await store.audit.findBy('actorId', 'ann')).toHaveLength(150);
    await store.close();
  });

  it('are made of a part of the entries while other writes wait', () => {
    const { connection, table, put } = auditTable();
    const waiting = new WaitingWrites();
    setWaitingWrites(waiting.shared);
    onTestFinished(() => setWaitingWrites(new WaitingWrites().shared));
    connection.atomically(() => put(...Array.from({ length: 4_000 }, (_, n) => n)));
    const write = waiting.wait();
    expect(connection.atomically(() => table.indexMore())).toBe(true);
    const made = entries(connection);
    expect(indexedThrough(connection)).toBe(idOf(made - 1));
    expect(made).toBeLessThan(4_000);
    write.start();
    connection.atomically(() => table.indexMore());
    expect(entries(connection)).toBe(4_000);
    connection.close();
  });

  it('pass over a damaged entry', () => {
    const { connection, table, put } = auditTable();
    put(1, 3);
    connection.run('UPDATE audit SET doc = ? WHERE id = ?', '{', idOf(1));
    table.indexMore();
    expect(numbers(table.findBy('actorId', 'odd'))).toEqual([3]);
    connection.close();
  });
});
