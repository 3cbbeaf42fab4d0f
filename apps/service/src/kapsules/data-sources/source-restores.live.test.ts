import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { connectTo } from '../../../../../tools/test-servers/postgres-client.ts';
import { kap, SourceApp } from '../../testing/source-app.ts';
import { beginEpoch } from '../data-api/watermarks.ts';

describe.runIf(hasPostgres())('watermarks of a kapsule in a data source', () => {
  let source: SourceApp;
  beforeAll(async () => {
    source = await SourceApp.start(await startPostgres(), postgresqlBlock, connectTo);
  });
  afterAll(() => source?.stop());

  it('stay when the service is restored, and are refused when a restore of the source has taken them back', async () => {
    const { admin, app } = source;
    const id = await source.created(admin, kap('Orders', 'orders', ['note']));
    const granules = [{ key: '1', data: { note: 'x' } }];
    await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
    const path = `/api/kapsule/${id}/sql/read`;
    const watermark = String((await admin.get(path)).headers['x-kaptain-watermark']);
    const read = async () => (await admin.get(`${path}?since=${watermark}`)).status;
    await app.store.transaction(beginEpoch);
    expect(await read()).toBe(200);
    const move = (by: number) =>
      source.sql(`UPDATE kaptain_tables SET k_last_change = k_last_change + ${by}`);
    await move(-1);
    expect(await read()).toBe(410);
    await move(1);
    expect(await read()).toBe(200);
  });
});
