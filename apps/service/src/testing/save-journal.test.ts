import { expect, it, onTestFinished } from 'vitest';
import { SaveJournal } from './save-journal.ts';
import { type Instance, serviceHere } from './service-on.ts';
import { PASSWORD } from './test-app.ts';

type Call = Instance['call'];
type Body = { granules: object[] };

/** Writers on a service of their own until each has saved a few times; `through` may change their requests or answers. */
async function checked(through: (call: Call) => Call) {
  const service = await serviceHere({});
  onTestFinished(() => service[Symbol.asyncDispose]());
  const account = { username: 'admin', password: PASSWORD };
  await service.call('POST', '/api/user/init', { body: account });
  const { accessToken: token } = (await service.call('POST', '/auth/login', { body: account })).body;
  const structure = { name: 'Sales', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
  const { _id: kapsuleId } = (await service.call('POST', '/api/kapsule', { token, body: structure })).body;
  const journal = new SaveJournal({
    service: { call: through((...args) => service.call(...args)) },
    token,
    kapsuleId,
  });
  journal.start(2);
  await journal.grows(8);
  await journal.stop();
  return { check: await journal.check(), sound: journal.sound };
}

/** Answers the writer's third save itself, or sends another one in its place. */
const atThird =
  (instead: (answer: Call, ...args: Parameters<Call>) => ReturnType<Call>) =>
  (call: Call): Call =>
  (...args) => {
    const { granules } = (args[2]?.body ?? { granules: [] }) as Body;
    return JSON.stringify(granules).includes('"writer 1/3"') ? instead(call, ...args) : call(...args);
  };

it('finds nothing after saves that were all stored', async () => {
  const { check, sound } = await checked((call) => call);
  expect(check).toEqual(sound);
  expect(check.acknowledged).toBeGreaterThanOrEqual(8);
});

it('finds a save that was acknowledged and is not stored', async () => {
  const { check } = await checked(atThird((call) => call('GET', '/healthz')));
  expect(check.lost).toEqual(['writer 1/3']);
});

it('finds a save of which one row is missing', async () => {
  const { check } = await checked((call) => {
    let isBroken = false;
    return (method, path, options) => {
      const { granules } = (options?.body ?? { granules: [] }) as Body;
      isBroken ||= JSON.stringify(granules).includes('"writer 1/3"');
      const isOfWriter = JSON.stringify(granules).includes('"writer 1"');
      const body = isBroken && isOfWriter ? { granules: granules.slice(0, 1) } : options?.body;
      return call(method, path, { ...options, body });
    };
  });
  expect(check).toMatchObject({ lost: [], torn: ['writer 1'] });
});

it('names every status that is neither 200 nor 503', async () => {
  const { check } = await checked(atThird((call, method, path) => call(method, path, { token: 'none' })));
  expect(check).toMatchObject({ lost: [], unexpected: [401] });
});
