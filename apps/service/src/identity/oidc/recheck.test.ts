import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { asExtension, PAGE } from '../../testing/extension.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { startProvider } from '../../testing/provider.ts';
import { type ProviderApp, personNamed, providerApp } from '../../testing/provider-app.ts';

const DUE_MS = 61_000;
let company: ProviderApp;
beforeAll(async () => {
  company = await providerApp({ settings: { corsAllowOrigins: [PAGE], apiKey: true } });
  await company.save({ recheckMinutes: 1 });
});
afterAll(() => company.close());

/** Long enough for a busy machine; what never comes still fails. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const statusOf = async (session: Caller) => (await session.get('/api/kapsule')).status;
const keptOf = async (name: string) =>
  company.app.store.providerSessions.findBy('userId', (await company.userOf(name))?.id ?? '');
const trailOf = async (name: string) =>
  (await company.app.store.audit.all())
    .filter(({ targetName, after }) => targetName === name || JSON.stringify(after).includes(`"${name}"`))
    .map(({ action, actor }) => `${action} by ${actor}`);

/** The next request of the session is due for a check; waits until the provider was asked. */
async function recheck(name: string, session: Caller): Promise<void> {
  company.app.advance(DUE_MS);
  const before = (await keptOf(name)).map(({ version }) => version);
  await session.get('/api/kapsule');
  await eventually(async () => {
    const now = (await keptOf(name)).map(({ version }) => version);
    // Once for the claim of this instance, once for the new tokens.
    expect(now.length === 0 || now.some((version, index) => version >= (before[index] ?? 0) + 2)).toBe(true);
  });
}

describe('the check of a sign-in with the provider, within minutes', () => {
  it('keeps the session of a person who is still there, and ends it when they are not', async () => {
    const leaver = personNamed('leaver');
    const session = await company.sessionOf(leaver);
    await recheck('leaver', session);
    expect(await statusOf(session)).toBe(200);
    company.provider.remove(leaver.sub);
    await recheck('leaver', session);
    expect(await statusOf(session)).toBe(401);
    expect(await trailOf('leaver')).toContain('session.endByProvider by provider');
  });

  it('survives a provider that answers in part: the refresh token that it has rotated is kept', async () => {
    const session = await company.sessionOf(personNamed('pia'));
    company.provider.setUserInfo(false);
    await recheck('pia', session);
    const told = () => company.app.logLines.join();
    await eventually(async () => expect(told()).toContain('could not be checked'));
    company.provider.setUserInfo(true);
    await recheck('pia', session);
    expect(await statusOf(session)).toBe(200);
    company.app.logLines.length = 0;
  });

  it('moves the person to other groups without ending the session', async () => {
    const mover = personNamed('mover', 'kaptain-users', 'sales-team');
    const session = await company.sessionOf(mover);
    company.provider.change({ ...mover, groups: ['kaptain-users', 'stock-team'] });
    await recheck('mover', session);
    await eventually(async () => expect(await company.groupsOf('mover')).toEqual(['Stock']));
    expect(await statusOf(session)).toBe(200);
    expect(await trailOf('mover')).toContain('group.update by provider');
  });

  it('follows another role, which ends all sessions, and removes the API keys of a former ADMIN', async () => {
    const boss = personNamed('boss', 'kaptain-admins');
    const [first, second] = [await company.sessionOf(boss), await company.sessionOf(boss)];
    const { apikey } = (await first.get('/api/privatekey/get')).body;
    expect((await first.post('/api/privatekey/create', { name: 'k', apikey })).status).toBe(200);
    company.provider.change({ ...boss, groups: ['kaptain-users'] });
    await recheck('boss', first);
    await eventually(async () => expect((await company.userOf('boss'))?.role).toBe('USER'));
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
    expect(await company.app.store.apiKeys.all()).toEqual([]);
    expect(await trailOf('boss')).toContain('user.update by provider');
    const rising = await company.sessionOf({ ...boss, groups: ['kaptain-users'] });
    company.provider.change(boss);
    await recheck('boss', rising);
    await eventually(async () => expect((await company.userOf('boss'))?.role).toBe('ADMIN'));
    expect(await statusOf(rising)).toBe(401);
  });

  it('ends all sessions of a person who has no role of ours any more, as a refused sign-in does', async () => {
    const guest = personNamed('guest', 'kaptain-admins');
    const [first, second] = [await company.sessionOf(guest), await company.sessionOf(guest)];
    company.provider.change({ ...guest, groups: ['others'] });
    await recheck('guest', first);
    await eventually(async () => expect(await statusOf(second)).toBe(401));
    expect((await company.userOf('guest'))?.role).toBe('USER');
    const again = await company.sessionOf(guest);
    expect((await company.signIn({ ...guest, groups: ['others'] })).status).toBe(400);
    expect([await statusOf(again), (await company.userOf('guest'))?.role]).toEqual([401, 'USER']);
  });

  it('takes roles that are not stated for unchanged ones', async () => {
    const dora = { ...personNamed('dora'), groups: undefined };
    company.provider.forges({ claims: { groups: ['kaptain-admins'] } });
    const session = await company.sessionOf(dora);
    company.provider.forges({ isLeftOut: true });
    await recheck('dora', session);
    company.provider.forges(undefined);
    expect([await statusOf(session), (await company.userOf('dora'))?.role]).toEqual([200, 'ADMIN']);
  });

  it('leaves the tokens of a sign-in alone that was made meanwhile', async () => {
    const vera = personNamed('vera');
    const session = await company.sessionOf(vera);
    const answer = company.provider.holdTokens();
    company.app.advance(DUE_MS);
    const [before] = await keptOf('vera');
    await session.get('/api/kapsule');
    await eventually(async () => expect((await keptOf('vera'))[0]?.version).toBe((before?.version ?? 0) + 1));
    await company.app.store.providerSessions.patch(before?.id ?? '', {
      sealedTokens: 'of the newer sign-in',
    });
    company.provider.remove(vera.sub);
    answer();
    // A second person is checked after her.
    const next = await company.sessionOf(personNamed('next'));
    await recheck('next', next);
    expect([(await keptOf('vera'))[0]?.sealedTokens, await statusOf(session)]).toEqual([
      'of the newer sign-in',
      200,
    ]);
  });

  it('leaves the last ADMIN the role', async () => {
    const last = personNamed('last', 'kaptain-admins');
    const session = await company.sessionOf(last);
    const { users } = company.app.store;
    const [admin] = await users.findBy('nameKey', 'admin');
    const others = (await users.findBy('role', 'ADMIN')).filter(({ username }) => username !== 'last');
    for (const { id } of others) await users.patch(id, { role: 'USER' });
    company.provider.change({ ...last, groups: ['kaptain-users'] });
    await recheck('last', session);
    expect([(await company.userOf('last'))?.role, await statusOf(session)]).toEqual(['ADMIN', 200]);
    await users.patch(admin?.id ?? '', { role: 'ADMIN' });
    await recheck('last', session);
    await eventually(async () => expect((await company.userOf('last'))?.role).toBe('USER'));
  });

  it('is made for a token of the extension too, whose session has no other requests', async () => {
    const ella = personNamed('ella');
    const session = await company.sessionOf(ella);
    const { id } = await addKapsule(company.app.store, 'on a sheet', { owner: 'ella' });
    const sheet = await asExtension(company.app, session, [id]);
    const read = () => sheet.post(`/api/kapsule/${id}/granules/lookup`, { keys: ['1'] });
    expect((await read()).status).toBe(200);
    company.provider.remove(ella.sub);
    company.app.advance(DUE_MS);
    await eventually(async () => expect((await read()).status).toBe(401));
  });

  it('shows no token to another provider, nor asks one that is switched off: the session ends', async () => {
    const nora = personNamed('nora');
    const session = await company.sessionOf(nora);
    await using other = await startProvider();
    await company.save({ issuer: other.issuer, recheckMinutes: 1 });
    expect((await session.post('/auth/provider/proof/start')).status).toBe(200);
    await recheck('nora', session);
    expect(await statusOf(session)).toBe(401);
    expect(company.app.logLines.join()).not.toContain('could not be checked');
    await company.save({ recheckMinutes: 1 });
    const again = await company.sessionOf(nora);
    await company.save({ enabled: false });
    await recheck('nora', again);
    expect(await statusOf(again)).toBe(401);
    await company.save({ recheckMinutes: 1 });
  });

  it('leaves no tokens behind when sessions end', async () => {
    const olaf = personNamed('olaf');
    const session = await company.sessionOf(olaf);
    expect(await keptOf('olaf')).toHaveLength(1);
    await session.post('/auth/logout');
    expect(await keptOf('olaf')).toEqual([]);
    await company.sessionOf(olaf);
    for (const { sessionId } of await keptOf('olaf'))
      await company.app.store.sessions.patch(sessionId, { expiresAt: '2026-01-01T00:00:00.000Z' });
    await company.sessionOf(olaf);
    expect(await keptOf('olaf')).toHaveLength(1);
  });
});
