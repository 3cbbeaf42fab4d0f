import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { CONFIG, put } from '../../testing/settings.ts';

const shared = appOfFile();

describe('a restart', () => {
  it('is for ADMINs, tolerates an empty body with a content type, and is audited', async () => {
    const vera = await shared.app.asUser('vera');
    const path = `${CONFIG}/restart/service`;
    expect([(await shared.app.asNobody.post(path)).status, (await vera.post(path)).status]).toEqual([
      401, 403,
    ]);
    const answer = await shared.admin.call('POST', path, {
      body: '',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body, shared.app.restarts.asked]).toEqual([
      200,
      { status: 'restarting' },
      1,
    ]);
    expect(await shared.app.store.audit.findBy('action', 'service.restart')).toMatchObject([
      { actor: 'admin' },
    ]);
  });

  it('that fails gives no settings up by itself; the reason is shown until the next save', async () => {
    const state = async () => (await shared.admin.get(`${CONFIG}/state`)).body;
    const fail = (reason: string) => {
      shared.app.restarts.failure = { at: new Date().toISOString(), reason };
    };
    fail('No memory.');
    expect(await state()).toMatchObject({
      isHttps: false,
      lastApply: { status: 'restartFailed', reason: 'No memory.' },
    });
    expect((await put(shared.admin, { settings: { userId: 'other' } })).status).toBe(200);
    expect(await state()).toMatchObject({ lastApply: { status: 'waiting', generation: 1, reason: null } });
    fail('The database does not answer.');
    expect(await state()).toMatchObject({
      lastApply: { status: 'waiting', generation: 1, reason: 'The database does not answer.' },
    });
  });
});
