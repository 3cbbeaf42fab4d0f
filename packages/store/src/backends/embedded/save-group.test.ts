import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { newId } from '../../ids.ts';
import { anAuditEntry } from '../../testing/samples.ts';
import { Connection } from './connection.ts';
import type { Reply, Request } from './messages.ts';
import type { SaveRequest } from './save.ts';
import { saveTogether } from './save-group.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** A save of one row with this key. */
const save = (key: string): SaveRequest => ({
  kapsuleId: 'kapsule',
  rows: [[key, 'ann', '{}', null, null]],
  dependsOn: [],
  entry: { ...anAuditEntry('granule.upsert'), id: newId(), version: 1 },
  toSeal: undefined,
});

/** A table of keys, of which `bad` is refused; `run` gives the first message to the writer while the others wait. */
function writer() {
  const connection = new Connection(temporaryFile(), { readOnly: false, busyMs: 0 });
  connection.exec('CREATE TABLE keys (key TEXT)');
  const { port1, port2 } = new MessageChannel();
  const run = (first: SaveRequest[], ...waiting: SaveRequest[][]) => {
    for (const [index, saves] of waiting.entries())
      port2.postMessage({ call: index + 2, command: { kind: 'save', saves } } satisfies Request);
    saveTogether(port1, connection, { call: 1, command: { kind: 'save', saves: first } }, ({ rows }) => {
      for (const [key] of rows) {
        connection.run('INSERT INTO keys VALUES (?)', key);
        if (key === 'bad') throw new Error('refused');
      }
    });
    const replies: Reply[] = [];
    for (let next = receiveMessageOnPort(port2); next; next = receiveMessageOnPort(port2))
      replies.push(next.message as Reply);
    return replies;
  };
  const keys = () => connection.all<{ key: string }>('SELECT key FROM keys').map(({ key }) => key);
  const close = () => {
    connection.close();
    port1.close();
  };
  return { connection, run, keys, close };
}

it('stores every save of a group once, but the one that is refused', () => {
  const { run, keys, close } = writer();
  const replies = run([save('a')], [save('b'), save('bad'), save('c')], [save('d')]);
  expect(replies).toMatchObject([
    { call: 1, value: [{}] },
    { call: 2, value: [{}, { failure: { message: 'refused' } }, {}] },
  ]);
  expect(keys()).toEqual(['a', 'b', 'c']);
  // A later save waits for the next commit.
  expect(run([save('e')])).toMatchObject([
    { call: 1, value: [{}] },
    { call: 3, value: [{}] },
  ]);
  expect(keys()).toEqual(['a', 'b', 'c', 'e', 'd']);
  close();
});

it('acknowledges nothing inside a transaction that was left open', () => {
  const { connection, run, keys, close } = writer();
  connection.exec('BEGIN');
  expect(run([save('a')])).toMatchObject([{ call: 1, failure: { message: 'A transaction was left open.' } }]);
  expect(run([save('b')])).toMatchObject([{ call: 1, value: [{}] }]);
  expect(keys()).toEqual(['b']);
  close();
});
