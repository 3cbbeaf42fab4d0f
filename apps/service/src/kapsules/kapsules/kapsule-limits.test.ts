import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { testApp } from '../../testing/test-app.ts';

const MiB = 1024 * 1024;
const kapsuleLimits = { kapsules: 3, definitionBytes: MiB };
const shared = appOfFile({ settings: { apiKey: true, kapsuleLimits } });

const fields = (count: number, length = 10) =>
  Array.from({ length: count }, (_, n) => ({ name: String(n).padStart(length, 'n'), type: 'text' }));
const structure = (name: string, count = 1, length = 10) => ({
  name,
  keyField: 'id',
  fields: fields(count, length),
});
/** About 0.3 MiB. */
const large = (name: string) => structure(name, 1000, 250);
const kap = (kapsule: object) => ({
  name: 'a.kap',
  content: JSON.stringify({ format: 'kap', version: 1, kapsule }),
});
const creator = (name: string) => shared.app.asUser(name, { isCreate: true });

describe('one more kapsule than a creator may have', () => {
  it('is refused by the data API and line by line by the import of .kap files, and an ADMIN may go on', async () => {
    const una = await creator('una');
    expect((await una.post('/api/kapsule', structure('una 1'))).status).toBe(200);
    const lines = await upload(
      una,
      '/api/kapsule/import/kapsules',
      [2, 3, 4].map((n) => kap(structure(`una ${n}`))),
    );
    const message = expect.stringContaining('One creator may have at most 3,');
    expect(lines.body).toMatchObject([
      { status: 'success' },
      { status: 'success' },
      { status: 'failed', message },
    ]);
    const refused = await una.post('/api/kapsule', structure('una 5'));
    expect(refused.body).toMatchObject({
      statusCode: 409,
      code: 'LIMIT_REACHED',
      message,
      details: { limit: 'kapsulesPerCreator', most: 3 },
    });
    for (let n = 0; n < 5; n++)
      expect((await shared.admin.post('/api/kapsule', structure(`admin ${n}`))).status).toBe(200);
  });

  it('is refused while deleted ones can be restored, which needs no room, and made once one is deleted for good', async () => {
    const vito = await creator('vito');
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { body } = await vito.post('/api/kapsule', structure(`vito ${n}`));
      ids.push(String(body['_id']));
    }
    const remove = async (id = '') =>
      expect((await vito.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [id] } })).status).toBe(
        200,
      );
    await remove(ids[0]);
    expect((await vito.post('/api/kapsule', structure('vito 4'))).body.code).toBe('LIMIT_REACHED');
    expect((await vito.post(`/api/kapsule/deleted/${ids[0]}/restore`, {})).status).toBe(200);
    await remove(ids[1]);
    expect((await vito.call('DELETE', `/api/kapsule/deleted/${ids[1]}`)).status).toBe(200);
    expect((await vito.post('/api/kapsule', structure('vito 4'))).status).toBe(200);
  });

  it('may be given by an ADMIN', async () => {
    const wim = await creator('wim');
    const made = [];
    for (let n = 0; n < 4; n++) made.push((await addKapsule(shared.app.store, `wim ${n}`)).id);
    const [user] = await shared.app.store.users.findBy('nameKey', 'wim');
    const given = { kapsuleIds: made, userId: user?.id };
    expect((await shared.admin.call('PUT', '/api/kapsule/owner', { body: given })).status).toBe(200);
    expect((await wim.post('/api/kapsule', structure('wim 5'))).body.code).toBe('LIMIT_REACHED');
    const change = { body: { ...structure('wim 0', 2), table: '' } };
    expect((await wim.call('PUT', `/api/kapsule/${made[0]}`, change)).status).toBe(200);
  });
});

describe('more bytes than the definitions of a creator may have', () => {
  it('are refused by each way to create and to change', async () => {
    const xaver = await creator('xaver');
    const made = async (name: string) => {
      const { status, body } = await xaver.post('/api/kapsule', large(name));
      expect(status).toBe(200);
      return String(body['_id']);
    };
    const id = await made('xaver 1');
    await made('xaver 2');
    const wide = structure('wide', 1000, 255);
    // Umlauts take two bytes each.
    for (const field of wide.fields) field.name = field.name.replaceAll('n', 'ü');
    const code = 'LIMIT_REACHED';
    const refused = await xaver.post('/api/kapsule', wide);
    expect(refused.body).toMatchObject({ code, details: { limit: 'definitionMiBPerCreator', most: 1 } });
    const imported = await upload(xaver, '/api/kapsule/import/kapsules', [kap(wide)]);
    expect(imported.body).toMatchObject([{ status: 'failed', message: refused.body.message }]);
    await made('xaver 3');
    const replaced = await xaver.call('POST', `/api/kapsule/import/kapsule/${id}`, multipart([kap(wide)]));
    expect(replaced.body.code).toBe(code);
    const put = (name: string, shape: object) =>
      xaver.call('PUT', `/api/kapsule/${id}`, { body: { ...shape, name, table: '' } });
    expect((await put('xaver 1', wide)).body.code).toBe(code);
    expect((await put('xaver 1', structure('', 10))).status).toBe(200);
    expect((await put('xaver 1', large(''))).status).toBe(200);
  });

  it('count as their creator’s, whoever changes a kapsule', async () => {
    const { store } = shared.app;
    const [yara, zoe] = [await creator('yara'), await shared.app.asUser('zoe')];
    for (const name of ['yara 1', 'yara 2', 'yara 3'])
      expect((await yara.post('/api/kapsule', large(name))).status).toBe(200);
    const [kapsule] = await store.kapsules.findBy('nameKey', 'yara 1');
    await grant(store, 'zoe', ['READ', 'DELETE'], kapsule ? [kapsule] : []);
    const shape = structure('yara 1', 1000, 255);
    for (const field of shape.fields) field.name = field.name.replaceAll('n', 'ü');
    const change = { body: { ...shape, table: '' } };
    const path = `/api/kapsule/${kapsule?.id}`;
    expect((await zoe.call('PUT', path, change)).body.code).toBe('LIMIT_REACHED');
    expect((await shared.admin.call('PUT', path, change)).status).toBe(200);
    // Kapsules beyond the limit can be read, and made smaller.
    expect((await yara.get(path)).status).toBe(200);
    expect((await yara.call('PUT', path, { body: { ...large('yara 1'), table: '' } })).status).toBe(200);
  });

  it('have no limit for what an ADMIN owns, whoever changes it', async () => {
    const { store } = shared.app;
    const zita = await shared.app.asUser('zita');
    for (let n = 0; n < 4; n++)
      expect((await shared.admin.post('/api/kapsule', large(`of admin ${n}`))).status).toBe(200);
    const [kapsule] = await store.kapsules.findBy('nameKey', 'of admin 0');
    await grant(store, 'zita', ['READ', 'DELETE'], kapsule ? [kapsule] : []);
    const body = { ...structure('of admin 0', 1000, 255), table: '' };
    expect((await zita.call('PUT', `/api/kapsule/${kapsule?.id}`, { body })).status).toBe(200);
  });
});

describe('the limits in the settings', () => {
  it('hold from the save on, and stay when a client that does not know them saves', async () => {
    await using app = await testApp({ settings: { apiKey: true } });
    const admin = await app.asAdmin();
    const ulf = await app.asUser('ulf', { isCreate: true });
    const save = (settings: object) =>
      admin.call('PUT', '/configuration/sys/update/info', { body: { settings } });
    expect((await save({ kapsulesPerCreator: 1, definitionMiBPerCreator: 2 })).status).toBe(200);
    expect((await save({ apiKey: true })).status).toBe(200);
    const { body } = await admin.get('/configuration/sys/get/info');
    expect(body['settings']).toMatchObject({ kapsulesPerCreator: 1, definitionMiBPerCreator: 2 });
    expect((await ulf.post('/api/kapsule', structure('ulf 1'))).status).toBe(200);
    expect((await ulf.post('/api/kapsule', structure('ulf 2'))).body.code).toBe('LIMIT_REACHED');
    for (const value of [0, 100_001, 1.5, 'x'])
      expect((await save({ kapsulesPerCreator: value })).status).toBe(400);
  });
});
