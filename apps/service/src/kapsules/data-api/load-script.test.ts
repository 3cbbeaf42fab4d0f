import { describe, expect, it } from 'vitest';
import { newQlikApp, type QlikApp } from '../../testing/qlik-script.ts';
import { loadScene } from './testing/load-scene.ts';
import { beginEpoch } from './watermarks.ts';

const FILE = 'lib://DataFiles/sales.qvd';
const incremental = (script: string, file = `'${FILE}'`) =>
  script.replace(/^LET vKaptainFile_(\w+) = '';$/m, `LET vKaptainFile_$1 = ${file};`);
const keysIn = (qlik: QlikApp, table = 'Sales') => qlik.tables.get(table)?.map(({ id }) => id ?? '');
const sortedKeysIn = (qlik: QlikApp) => keysIn(qlik)?.toSorted();

describe('the generated load script', () => {
  it('loads every row, confirms them, and carries no API key', async () => {
    await using the = await loadScene();
    expect(the.script).not.toContain(String(the.key.token));
    const qlik = await the.run(the.script);
    expect(qlik.tables).toEqual(new Map([['Sales', expect.any(Array)]]));
    expect(qlik.tables.get('Sales')?.[1]).toEqual({
      id: '2',
      comment: 'comment 2',
      amount: '1',
      CreatedBy: 'UserDirectory=TEST; UserId=vera',
      CreatedAt: expect.any(String),
      UpdatedAt: expect.any(String),
    });
    expect(await the.reloaded()).toEqual([3, 3]);
    const [entry] = await the.app.store.audit.findBy('action', 'granule.reloaded');
    expect(entry?.after).toMatchObject({ count: 3 });
  });

  it('does not mark granules that are written between the read and the confirmation', async () => {
    await using the = await loadScene();
    const onConnect = async (name: string) => {
      if (name === 'Kaptain confirm') await Promise.all([the.save('2'), the.save('4')]);
    };
    const qlik = await the.run(the.script, newQlikApp(), { onConnect });
    expect(keysIn(qlik)).toEqual(['1', '2', '3']);
    expect(await the.reloaded()).toEqual([2, 4]);
  });

  it('keeps the rows in a file when it is incremental, and loads what has changed since the last confirmed load', async () => {
    await using the = await loadScene();
    const script = incremental(the.script);
    const read: number[] = [];
    const transfer = (text: string) => {
      if (text.includes('KaptainWatermark')) read.push(text.split('\r\n').length - 2);
      return text;
    };
    const qlik = await the.run(script, newQlikApp(), { transfer });
    expect([keysIn(qlik), await the.reloaded()]).toEqual([
      ['1', '2', '3'],
      [3, 3],
    ]);
    await the.save('2');
    await the.save('4');
    await the.run(script, qlik, { transfer });
    expect([keysIn(qlik), await the.reloaded()]).toEqual([
      ['2', '4', '1', '3'],
      [4, 4],
    ]);
    expect(qlik.tables.get('Sales')?.[0]).toMatchObject({
      id: '2',
      comment: 'new',
      CreatedBy: expect.any(String),
    });
    expect([...qlik.tables.keys()]).toEqual(['Sales']);
    // Without changes nothing is confirmed, and the next load starts at the same watermark.
    await the.run(script, qlik, { transfer });
    expect(sortedKeysIn(qlik)).toEqual(['1', '2', '3', '4']);
    expect(await the.app.store.audit.findBy('action', 'granule.reloaded')).toHaveLength(2);
    await the.save('5');
    await the.run(script, qlik, { transfer });
    expect([sortedKeysIn(qlik), await the.reloaded()]).toEqual([
      ['1', '2', '3', '4', '5'],
      [5, 5],
    ]);
    expect(read).toEqual([3, 2, 0, 1]);
  });

  it('drops deleted rows from those it keeps, and takes restored ones again', async () => {
    await using the = await loadScene();
    const script = incremental(the.script);
    const qlik = await the.run(script);
    const removed = await the.remove('1', '3');
    await the.run(script, qlik);
    expect([keysIn(qlik), qlik.files.get(FILE)?.map(({ id }) => id)]).toEqual([['2'], ['2']]);
    expect(await the.reloaded()).toEqual([1, 1]);
    await the.app.store.granules.restoreMany(removed, 'x');
    await the.save('3');
    await the.run(script, qlik);
    expect(sortedKeysIn(qlik)).toEqual(['1', '2', '3']);
    // All of them deleted: the last row has the watermark, although it tells of a deletion.
    await the.remove('1', '2', '3');
    await the.run(script, qlik);
    expect([keysIn(qlik), qlik.files.get(FILE)]).toEqual([[], []]);
    await the.save('9');
    await the.run(script, qlik);
    expect(keysIn(qlik)).toEqual(['9']);
  });

  it('suggests a file that another app of the same space does not write', async () => {
    await using the = await loadScene();
    const [suggestion] = /'lib:.*\.qvd'/.exec(the.script) ?? [];
    const script = incremental(the.script, suggestion);
    const first = newQlikApp('first');
    const second = newQlikApp('second', first.files);
    let isRead = false;
    const transfer = async (text: string) => {
      // The second app has read its rows, and has not stored them yet.
      if (!isRead) {
        isRead = true;
        await the.save('4');
        await the.run(script, first);
      }
      return text;
    };
    await the.run(script, second, { transfer });
    expect(sortedKeysIn(second)).toEqual(['1', '2', '3']);
    await the.save('5');
    await the.run(script, first);
    expect(sortedKeysIn(first)).toEqual(['1', '2', '3', '4', '5']);
    await the.run(script, second);
    expect(sortedKeysIn(second)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('loads all rows again when its file is gone, or the confirmation before has failed', async () => {
    await using the = await loadScene();
    const script = incremental(the.script);
    const qlik = newQlikApp();
    const wrongKey = { method: 'POST', headers: { 'x-api-key': 'kpt_wrong' } } as const;
    const reading = the.connections.Kaptain;
    const failing = the.run(script, qlik, { connections: { Kaptain: reading, 'Kaptain confirm': wrongKey } });
    await expect(failing).rejects.toThrow('401');
    expect(await the.reloaded()).toEqual([0, 3]);
    await the.run(script, qlik);
    expect([keysIn(qlik), await the.reloaded()]).toEqual([
      ['1', '2', '3'],
      [3, 3],
    ]);
    await the.remove('1');
    qlik.files.clear();
    await the.run(script, qlik);
    expect(keysIn(qlik)).toEqual(['2', '3']);
  });

  it('loads all rows anew when its watermark is of before a restore, and confirms them', async () => {
    await using the = await loadScene();
    const script = incremental(the.script);
    const qlik = await the.run(script);
    await the.save('2');
    await the.run(script, qlik);
    await the.app.store.transaction(beginEpoch);
    await the.remove('1');
    await the.save('4');
    await the.run(script, qlik);
    expect([sortedKeysIn(qlik), qlik.files.get(FILE)?.length]).toEqual([['2', '3', '4'], 3]);
    expect([...qlik.tables.keys()]).toEqual(['Sales']);
    expect(await the.reloaded()).toEqual([3, 3]);
    // From then on by the new watermark again.
    await the.save('5');
    const read: string[] = [];
    const transfer = (text: string) => {
      if (text.includes('KaptainWatermark')) read.push(text);
      return text;
    };
    await the.run(script, qlik, { transfer });
    expect(sortedKeysIn(qlik)).toEqual(['2', '3', '4', '5']);
    expect(read.map((text) => text.split('\r\n').length - 2)).toEqual([1]);
    // A load that fails twice fails, and leaves the script's own mode as it was.
    await the.save('6');
    const wrongKey = { method: 'GET', headers: { 'x-api-key': 'kpt_wrong' } } as const;
    const failing = the.run(script, qlik, { connections: { ...the.connections, Kaptain: wrongKey } });
    await expect(failing).rejects.toThrow('401');
    expect(await the.reloaded()).toEqual([4, 5]);
  });

  it('has no rows of a kapsule whose granules are all deleted', async () => {
    await using the = await loadScene();
    await the.remove('1', '2', '3');
    const qlik = await the.run(the.script);
    expect(keysIn(qlik)).toEqual([]);
    expect(await the.reloaded()).toEqual([0, 0]);
  });

  it('confirms nothing when a statement before its last part fails', async () => {
    await using the = await loadScene();
    const late = the.script.replace('// 3. Confirm', "LIB CONNECT TO 'Missing';\n// 3. Confirm");
    await expect(the.run(late)).rejects.toThrow('Missing');
    // Also when the script continues after a failure, and with a watermark of an earlier reload.
    const goingOn = `SET ErrorMode = '0';\n${late}`;
    await the.run(goingOn);
    const qlik = newQlikApp();
    qlik.variables.set(`vKaptainWatermark_${the.kapsule.id}`, '3-abcdefghijklmnop');
    const wrongKey = { method: 'GET', headers: { 'x-api-key': 'kpt_wrong' } } as const;
    await expect(the.run(the.script, qlik, { connections: { Kaptain: wrongKey } })).rejects.toThrow('401');
    // An answer that was cut off unnoticed has no watermark.
    await the.run(the.script, newQlikApp(), { transfer: (text) => text.replace(/[^\n]*\n$/, '') });
    expect(await the.reloaded()).toEqual([0, 3]);
  });

  it('works with names that need quotes, also when a field has the name of our column', async () => {
    const fields = ['my ]field', 'amount "net"', 'KaptainWatermark', 'Deleted', 'kaptainkey'].map((name) => ({
      _id: name,
      name,
      type: 'text' as const,
    }));
    await using the = await loadScene("Sales's [best]", { fields });
    await the.app.store.granules.upsert(the.kapsule.id, [
      { key: '9', user: 'x', data: { 'my ]field': 'a,"b"\n', KaptainWatermark: 'own', Deleted: 'no' } },
    ]);
    const qlik = await the.run(the.script);
    expect(qlik.tables.get("Sales's [best]")?.at(-1)).toMatchObject({
      id: '9',
      'my ]field': 'a,"b"\n',
      KaptainWatermark: 'own',
      Deleted: 'no',
    });
    expect(await the.reloaded()).toEqual([4, 4]);
  });
});
