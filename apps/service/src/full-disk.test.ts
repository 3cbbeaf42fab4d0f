import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canMountDisks, type SmallDisk, smallDisk } from '../../../tools/test-servers/small-disk.ts';
import { type Instance, startedHere } from './testing/service-on.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const account = { username: 'admin', password: 'correct horse battery' };

describe.runIf(canMountDisks())('the service on a full disk', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  let disk: SmallDisk;
  let service: Instance;
  let token: string;
  let id: string;

  const logIn = (password = account.password) =>
    service.call('POST', '/auth/login', { body: { ...account, password } });
  const save = (key: string, comment: string) =>
    service.call('PUT', `/api/kapsule/${id}/granules`, {
      token,
      body: { granules: [{ key, data: { comment } }] },
    });

  const loggedLogins = () =>
    readFileSync(join(data, 'logs', 'app-current.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('session.login') && line.includes('"ok"')).length;

  /** The write-ahead log has reserved space, which is used up too. */
  async function fill(): Promise<void> {
    disk.fill(0);
    for (let n = 0; ; n++) {
      const { status } = await save(`fill ${n}`, 'x'.repeat(100_000));
      if (status === 507) break;
      expect(status).toBe(200);
    }
    for (let n = 0; ; n++) if ((await save(`small ${n}`, 'x')).status === 507) return;
  }

  beforeAll(async () => {
    disk = smallDisk(data, 64, undefined);
    service = await startedHere(data);
    await service.call('POST', '/api/user/init', { body: account });
    token = (await logIn()).body.accessToken;
    const body = { name: 'Sales', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    id = (await service.call('POST', '/api/kapsule', { token, body })).body._id;
    await save('k', 'first');
    await vi.waitUntil(() => loggedLogins() === 1, { timeout: 60_000 });
    await fill();
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    disk?.remove();
    folder[Symbol.dispose]();
  });

  it('answers all calls that only read', async () => {
    const granule = (
      await service.call('GET', `/api/kapsule/${id}/sql/read/internal?page=1&size=1&q=first`, { token })
    ).body as unknown as { data: { _id: string }[] };
    const paths = [
      '/api/kapsule',
      `/api/kapsule/${id}`,
      `/api/kapsule/${id}/sql/read/internal`,
      `/api/kapsule/${id}/sql/read/internal?page=1&size=50&sort=key`,
      `/api/kapsule/${id}/granules/${granule.data[0]?._id}/history`,
      `/api/kapsule/${id}/changes`,
      `/api/kapsule/${id}/sql/read?format=ndjson`,
      ...['csv', 'json', 'qvd'].map((format) => `/api/kapsule/${id}/export?format=${format}`),
      `/api/kapsule/export/kapsule?kapsuleId=${id}`,
      '/api/user/list',
      '/api/group/list',
      '/api/audit',
      '/api/log/list',
      '/api/account/sessions',
      '/configuration/sys/get/info',
      '/readyz',
    ];
    const answers: [string, number][] = [];
    for (const path of paths) answers.push([path, (await service.call('GET', path, { token })).status]);
    expect(answers).toEqual(paths.map((path) => [path, 200]));
  });

  it('issues tickets for downloads, each valid once', async () => {
    const path = `/api/kapsule/${id}/export?format=csv`;
    const { status, body } = await service.call('POST', '/api/download/ticket', { token, body: { path } });
    expect(status).toBe(200);
    const url = String(body['url']);
    expect((await service.call('GET', url.replace('csv', 'qvd'))).status).toBe(401);
    expect((await service.call('GET', url)).status).toBe(200);
    expect((await service.call('GET', url)).status).toBe(401);
  });

  it('refuses logins with the reason, counts no failure, and accepts logins when there is space again', async () => {
    for (let n = 0; n < 12; n++) {
      const { status, body } = await logIn();
      expect([status, body['code'], body['message']]).toEqual([
        507,
        'DISK_FULL',
        'You can not be logged in now, because the disk of the service is full. Please tell your administrator.',
      ]);
    }
    expect((await logIn('wrong password')).status).toBe(507);
    disk.free(0);
    expect((await logIn()).status).toBe(200);
    expect((await save('k', 'second')).status).toBe(200);
    await expect.poll(loggedLogins).toBe(2);
  });
});
