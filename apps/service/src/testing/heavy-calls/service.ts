import { rmSync } from 'node:fs';
import { idleTimes } from '../others-beside.ts';
import { startProcess } from '../service-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { PASSWORD } from '../test-app.ts';
import { type Call, type Client, clientOf } from './client.ts';

const BODY_BYTES = 1_000_000;
const BODY_ROWS = 10_000;

export interface Row {
  key: string;
  data: Record<string, unknown>;
}

/** The service in a process of its own, a USER who makes heavy calls, and another person who works beside them. */
export interface HeavyService extends AsyncDisposable {
  admin: Client;
  /** Another USER each time: what one may create is bounded. */
  newOwner: () => Promise<Client>;
  /** The next of the other person's calls: a list, a page, a save. */
  other: () => Promise<unknown>;
  /** The times of these calls while no other call runs. */
  idle: readonly number[];
}

/** The answer as JSON; fails when the call did. */
export async function answerOf(client: Client, call: Call): Promise<Record<string, string>> {
  const { status, text } = await client.call(call);
  if (status >= 300)
    throw new Error(`${call.method} ${call.path.slice(0, 200)}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Record<string, string>;
}

async function newKapsule(client: Client, name: string, fields: readonly object[]): Promise<string> {
  const body = { name, keyField: 'key', fields };
  const { _id } = await answerOf(client, { method: 'POST', path: '/api/kapsule', body });
  return _id ?? '';
}

/** The rows in batches as large as the service takes them. */
export function* inBodies(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (batch.length > 0 && (bytes + size > BODY_BYTES || batch.length === BODY_ROWS)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += size;
  }
  yield batch;
}

async function save(client: Client, id: string, rows: Iterable<Row>): Promise<void> {
  for (const granules of inBodies(rows))
    await answerOf(client, { method: 'PUT', path: `/api/kapsule/${id}/granules`, body: { granules } });
}

/** A kapsule with rows whose members need not be fields: those were fields when the rows were saved. */
export async function filledKapsule(
  client: Client,
  name: string,
  fields: readonly { name: string }[],
  rows: readonly Row[],
): Promise<string> {
  const known = new Set(fields.map((field) => field.name));
  const members = new Set(rows.flatMap(({ data }) => Object.keys(data)));
  const others = [...members].filter((member) => !known.has(member));
  const before = others.map((member) => ({ name: member, type: 'number' }));
  const id = await newKapsule(client, name, before.length === 0 ? fields : before);
  await save(client, id, rows);
  const body = { name, table: '', keyField: 'key', fields };
  if (before.length > 0) await answerOf(client, { method: 'PUT', path: `/api/kapsule/${id}`, body });
  return id;
}

export async function startHeavyService(): Promise<HeavyService> {
  const folder = temporaryFolder();
  const service = startProcess({ KAPTAIN_DATA_DIR: folder.path });
  await service.said(/ready on/);
  const port = Number(/ready on http:\/\/[^:]+:(\d+)/.exec(service.output())?.[1]);
  const nobody = clientOf(port, undefined);
  const logIn = async (username: string): Promise<Client> => {
    const body = { username, password: PASSWORD };
    const { accessToken } = await answerOf(nobody, { method: 'POST', path: '/auth/login', body });
    return clientOf(port, accessToken);
  };
  const init = { username: 'admin', password: PASSWORD };
  await answerOf(nobody, { method: 'POST', path: '/api/user/init', body: init });
  const admin = await logIn('admin');
  const clients = [nobody, admin];
  const newUser = async (username: string): Promise<Client> => {
    const qlikId = `T\\${username}`;
    const body = { username, password: PASSWORD, role: 'USER', groups: [], qlikId, isCreate: true };
    await answerOf(admin, { method: 'POST', path: '/api/user/create', body });
    const client = await logIn(username);
    clients.push(client);
    return client;
  };
  const other = await newUser('otto');
  const own = await newKapsule(other, 'of the other person', [{ name: 'text', type: 'text' }]);
  await save(
    other,
    own,
    Array.from({ length: 50 }, (_, row) => ({ key: String(row), data: { text: `row ${row}` } })),
  );
  const path = `/api/kapsule/${own}/granules`;
  const saving = (text: string) => ({ granules: [{ key: '7', data: { text } }] });
  let turn = 0;
  const next = (): Call => {
    turn += 1;
    if (turn % 3 === 0) return { method: 'GET', path: '/api/kapsule' };
    if (turn % 3 === 1)
      return { method: 'GET', path: `/api/kapsule/${own}/sql/read/internal?page=1&size=20` };
    return { method: 'PUT', path, body: saving(`save ${turn}`) };
  };
  const asked = () => answerOf(other, next());
  return {
    admin,
    newOwner: () => newUser(`hedda${clients.length}`),
    other: asked,
    idle: await idleTimes(asked),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      service.child.kill('SIGTERM');
      await service.ended;
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}
