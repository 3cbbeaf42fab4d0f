import { describe, expect, it } from 'vitest';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { loadScene } from './testing/load-scene.ts';

describe('a watermark', () => {
  it('is valid only for the kapsule whose read returned it, in reads and confirmations', async () => {
    await using the = await loadScene();
    const other = await addKapsule(the.app.store, 'Other');
    await addGranules(the.app.store, other, 3);
    const path = (id: string) => `/api/kapsule/${id}`;
    const read = await the.key.get(`${path(the.kapsule.id)}/sql/read`);
    const given = String(read.headers['x-kaptain-watermark']);
    const confirm = async (id: string, watermark: string) =>
      (await the.key.post(`${path(id)}/reloaded`, { watermark })).status;
    const since = async (id: string, watermark: string) =>
      (await the.key.get(`${path(id)}/sql/read?since=${watermark}`)).status;
    const [number = '', signature = ''] = given.split(/-(.*)/);
    for (const forged of [number, '1', '2', `2-${signature}`, `${number}-${'A'.repeat(16)}`, `0${given}`]) {
      expect([forged, await confirm(the.kapsule.id, forged)]).toEqual([forged, 400]);
      expect([forged, await since(the.kapsule.id, forged)]).toEqual([forged, 400]);
    }
    expect([await confirm(other.id, given), await since(other.id, given)]).toEqual([400, 400]);
    expect((await the.app.store.granules.counts(other.id)).reloaded).toBe(0);
    expect([await confirm(the.kapsule.id, '0'), await since(the.kapsule.id, '0')]).toEqual([200, 200]);
    expect(await the.reloaded()).toEqual([0, 3]);
    expect([await since(the.kapsule.id, given), await confirm(the.kapsule.id, given)]).toEqual([200, 200]);
    expect(await the.reloaded()).toEqual([3, 3]);
  });

  it('is a column only in csv', async () => {
    await using the = await loadScene();
    const path = `/api/kapsule/${the.kapsule.id}/sql/read?withWatermark=true`;
    for (const format of ['json', 'ndjson', 'qvd'])
      expect((await the.key.get(`${path}&format=${format}`)).status).toBe(400);
    const { text, headers } = await the.key.get(`${path}&format=csv`);
    const cells = text.split('\r\n').map((line) => line.split(',').at(-1));
    expect(cells).toEqual(['KaptainWatermark', '', '', headers['x-kaptain-watermark'], '']);
  });
});
