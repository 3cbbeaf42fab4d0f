import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, api, type Route } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../app-of-file.ts';
import { PASSWORD, type TestApp } from '../test-app.ts';
import { cells } from './cells.ts';
import { canYield, proofs } from './proofs.ts';
import { ALLOWED_PAGE } from './rows.ts';
import { requestOf, validCall } from './valid-call.ts';
import { createWorld, type World } from './world.ts';

const policy = { apiKey: true, corsAllowOrigins: [ALLOWED_PAGE], askAgain: false };
const shared = appOfFile({ settings: policy });

const routes = Object.entries<Api[string]>(api).flatMap(([noun, calls]) =>
  Object.entries<Route>(calls).map(([name, route]) => ({ noun, name, route, label: `${noun}.${name}` })),
);
type Call = (typeof routes)[number];
const decided = proofs as Record<string, Record<string, string>>;
const asking = routes.filter(({ route }) => route.proof !== undefined);

const kept = [
  'users',
  'groups',
  'kapsules',
  'deletedKapsules',
  'apiKeys',
  'tickets',
  'extensionGrants',
  'challenges',
  'jobs',
  'schedules',
  'views',
  'audit',
  'instance',
] as const;

/** The state that a call could change: all documents, settings and key files. */
async function stateOf({ store, folder, restarts }: TestApp): Promise<string> {
  const documents = await Promise.all(kept.map(async (noun) => [noun, await store[noun].all()]));
  // The use of a session is noted with every call.
  const sessions = (await store.sessions.all()).map((session) => ({
    ...session,
    version: 0,
    lastSeenAt: '',
  }));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('kaptain.db'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]);
  return JSON.stringify({ documents, sessions, files, restarts });
}

/** A place for the call, with parameters for calls that fail in the access matrix. */
async function placeFor(app: TestApp, world: World, call: Call) {
  const { kind } = requestOf(call);
  const place = await world.prepare('admin', kind, kind ? 'foreign' : 'any');
  const { headers } = place.actor;
  const { asNobody } = app;
  const { label } = call;
  if (label === 'users.endSession') {
    const [session] = await app.store.sessions.findBy('userId', place.actor.userId);
    const { id: _, version: __, ...rest } = session ?? expect.unreachable();
    const inserted = await app.store.sessions.insert({ ...rest, userId: place.id, tokenHash: place.id });
    return { place, params: [place.id, inserted.id] };
  }
  if (label === 'status.downloadBackup') {
    const { body } = await asNobody.call('POST', api.status.makeBackup.path, { headers });
    return { place, params: [String(body['file'])] };
  }
  if (label === 'settings.returnTo') {
    for (const logLevel of ['debug', 'info'])
      await asNobody.call('PUT', api.settings.update.path, {
        headers,
        body: { settings: {}, system: { logLevel } },
      });
    return { place, params: ['1'] };
  }
  return { place };
}

/**
 * The status of a call with a proof. A call that changes the second factor answers as the access matrix declares, because
 * the account has none.
 */
function accepted({ noun, name, route }: Call): number {
  const declared = cells().find((cell) => cell.noun === noun && cell.name === name && cell.actor === 'admin');
  return route.proof === 'ifAsked' ? 200 : (declared?.expected ?? Number.NaN);
}

/** Prepares what the call needs; each `send` makes the call. */
async function prepared(app: TestApp, world: World, call: Call) {
  const { place, params } = await placeFor(app, world, call);
  const valid = requestOf(call);
  const { path, ...sent } = validCall(
    call.route,
    params ? { ...valid, params: () => [...params] } : valid,
    place,
  );
  return { place, send: () => app.asNobody.call(call.route.method, path, sent) };
}

describe('the proof of identity', () => {
  it('is asked for by every call that yields a credential or a right, and by no other', () => {
    const stated = Object.entries(decided).flatMap(([noun, calls]) =>
      Object.entries(calls).map(([name, decision]) => [`${noun}.${name}`, decision] as const),
    );
    const asks = stated.filter(([, decision]) => decision === 'always' || decision === 'ifAsked');
    expect(Object.fromEntries(asks)).toEqual(
      Object.fromEntries(asking.map(({ label, route }) => [label, route.proof])),
    );
    const able = routes.filter(({ route }) => canYield(route) || route.proof).map(({ label }) => label);
    expect(stated.map(([label]) => label).sort()).toEqual(able.sort());
  });

  it('that is too old refuses each of these calls, which changes nothing; a fresh one opens it', async () => {
    const { app } = shared;
    const world = await createWorld(app);
    // The sessions of the world begin at the true time, 20 minutes ago for the service.
    app.advance(20 * 60_000);
    for (const call of asking) {
      const { label } = call;
      policy.askAgain = false;
      const { place, send } = await prepared(app, world, call);
      policy.askAgain = true;
      const before = await stateOf(app);
      const refused = await send();
      expect([label, refused.status, refused.body.code]).toEqual([label, 403, 'PROOF_NEEDED']);
      expect([label, await stateOf(app)]).toEqual([label, before]);

      const proof = { password: PASSWORD };
      expect((await app.asNobody.post('/api/account/proof', proof, place.actor.headers)).status).toBe(200);
      const { status, body } = await send();
      expect([label, body.code]).not.toEqual([label, 'PROOF_NEEDED']);
      expect([label, status]).toEqual([label, accepted(call)]);
    }
  });

  it('is not asked for while the settings do not ask again, except before changes of the second factor', async () => {
    const { app } = shared;
    const world = await createWorld(app);
    policy.askAgain = false;
    for (const call of asking) {
      const { label, route } = call;
      const { send } = await prepared(app, world, call);
      const { status, body } = await send();
      const outcome = status === 200 ? 'done' : body.code;
      expect([label, outcome]).toEqual([label, route.proof === 'always' ? 'PROOF_NEEDED' : 'done']);
    }
  });
});
