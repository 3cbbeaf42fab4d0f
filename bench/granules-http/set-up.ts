import { type Bench, drained, json, send } from './client.ts';

const PASSWORD = 'a password for the bench';

/** Creates the first account and logs in with it. */
export async function logIn(url: string): Promise<Bench> {
  const type = 'application/json';
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const withoutToken = { url, token: '' };
  await drained(await send(withoutToken, '/api/user/init', { method: 'POST', type, body }));
  const login = await send(withoutToken, '/auth/login', { method: 'POST', type, body });
  return { url, token: (await json<{ accessToken: string }>(login)).accessToken };
}

/** A kapsule for the comments of the benches. */
export async function newKapsule(bench: Bench, name: string): Promise<string> {
  const fields = [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
    { name: 'OrderDate', type: 'date' },
    { name: 'Country', type: 'text' },
  ];
  const body = JSON.stringify({ name, keyField: 'Key', fields });
  const made = await send(bench, '/api/kapsule', { method: 'POST', type: 'application/json', body });
  return (await json<{ _id: string }>(made))._id;
}
