import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../../tools/test-size.ts';
import { requests, type ValidRequest } from '../../testing/access-matrix/requests.ts';
import type { ActorName } from '../../testing/access-matrix/rows.ts';
import type { World } from '../../testing/access-matrix/world.ts';
import { worldOfFile } from '../../testing/access-matrix/world-of-file.ts';
import type { TestAnswer } from '../../testing/caller.ts';
import {
  document,
  type NamedOperation,
  operations,
  type Schema,
} from '../../testing/generated-requests/operations.ts';
import {
  exampleRequest,
  faults,
  type Request,
  spoiledRequests,
  type Things,
  validRequests,
} from '../../testing/generated-requests/requests.ts';
import { undeclared } from '../../testing/generated-requests/undeclared.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const SEED = 20_260_301;
const roles: ActorName[] = ['nobody', 'owner', 'admin', 'key'];
const nouns = [...new Set(operations.map(({ operationId }) => operationId.split('.')[0] ?? ''))];

const exampleOf = ({ operationId }: NamedOperation): ValidRequest => {
  const [noun = '', name = ''] = operationId.split('.');
  return (requests as Record<string, Record<string, ValidRequest>>)[noun]?.[name] ?? {};
};

const isEndless = ({ responses }: NamedOperation): boolean =>
  responses['200']?.content?.['text/event-stream'] !== undefined;

/** The beginning of an endless answer. */
async function beginning(app: TestApp, { path, headers }: Request): Promise<TestAnswer> {
  const url = { url: path, headers: { host: 'localhost', ...headers }, payloadAsStream: true } as const;
  const response = await app.http.inject(url);
  if (response.statusCode === 200) response.stream().destroy();
  const text = response.statusCode === 200 ? '' : await new Response(response.stream() as never).text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as TestAnswer['body'];
  return { status: response.statusCode, headers: response.headers, text, body };
}

type Prepared = Awaited<ReturnType<World['prepare']>>;
type Make = (things: Things, example: () => Request) => Request;

/** Makes requests of one app and collects what the document does not declare of the answers. */
class Asking {
  readonly problems: string[] = [];
  /** Operations that were answered with a success. */
  readonly done = new Set<string>();
  readonly #app: TestApp;
  readonly #world: World;
  readonly #prepared: Map<string, Promise<Prepared>>;

  constructor(app: TestApp, world: World, prepared: Map<string, Promise<Prepared>>) {
    this.#app = app;
    this.#world = world;
    this.#prepared = prepared;
  }

  /** Calls that read change nothing: they share their callers and objects. Other calls may end the sessions of the admin. */
  #preparedFor(
    { operationId, method }: NamedOperation,
    role: ActorName,
    kind: ValidRequest['kind'],
  ): Promise<Prepared> {
    const made = () => this.#world.prepare(role, kind, kind ? 'own' : 'any');
    if (method !== 'GET') return made();
    const name = `${role} ${kind} ${role === 'admin' ? operationId : ''}`;
    const prepared = this.#prepared.get(name) ?? made();
    this.#prepared.set(name, prepared);
    return prepared;
  }

  /** As a caller who may use all objects that the request names. */
  async ask(operation: NamedOperation, role: ActorName, make: Make): Promise<void> {
    const { kind, file } = exampleOf(operation);
    const prepared = await this.#preparedFor(operation, role, kind);
    const { actor, id, granuleId } = prepared;
    const made = make({ ids: [id, id, id, granuleId, actor.userId, 'f'.repeat(24)], file }, () =>
      exampleRequest(operation, exampleOf(operation), prepared),
    );
    const request = { ...made, headers: { ...actor.headers, ...made.headers } };
    const answer = isEndless(operation)
      ? await beginning(this.#app, request)
      : await this.#app.asNobody.call(operation.method, request.path, request);
    if (answer.status < 300) this.done.add(operation.operationId);
    const found = undeclared(operation, answer);
    if (found) this.problems.push(`${operation.operationId} as ${role}: ${found} (${made.path})`);
  }
}

/**
 * Operations that need a platform, an app, an unfinished run or an earlier generation, which a new service does not
 * have.
 */
const notDone = [
  // There is no session with this id.
  'account.endSession',
  'users.endSession',
  'dataApi.reload',
  // The page of the extension has made no code, and these callers have no token of it.
  'extension.createToken',
  'extension.createTokenByCloud',
  'extension.createTokenBySession',
  'extension.renewToken',
  // Nothing is deleted.
  'granules.restoreMatching',
  'jobs.apps',
  'jobs.cancel',
  // No caller has a second factor, and no login waits for one.
  'secondFactor.confirmTotp',
  'secondFactor.createRecoveryCodes',
  'secondFactor.confirmPasskey',
  'secondFactor.removePasskey',
  'secondFactor.renamePasskey',
  'secondFactor.startPasskeyProof',
  'secondFactor.removeTotp',
  'session.secondFactor',
  'session.startPasskey',
  // No provider is configured.
  'session.startProvider',
  'session.finishProvider',
  'session.startProof',
  'session.finishProof',
  'settings.testSignIn',
  'settings.difference',
  'settings.hasFile',
  'settings.returnTo',
  // No backup has this name, and the caller has saved no view.
  'status.downloadBackup',
  'views.remove',
  // The request would delete its own caller.
  'users.remove',
];

const sample = (arbitrary: fc.Arbitrary<Request>, seed: number): Request =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0] as Request;

describe('the OpenAPI document', () => {
  it('names its schemas and security schemes', () => {
    const { schemas, securitySchemes } = document.components;
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Error', 'Kapsule', 'Granule', 'User']));
    expect(securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
  });

  it('writes no object of three fields or more twice', () => {
    const seen = new Map<string, number>();
    JSON.stringify(document, (_, value: unknown) => {
      const { properties = {} } = (value ?? {}) as Schema;
      const text = JSON.stringify(value);
      if (Object.keys(properties).length >= 3) seen.set(text, (seen.get(text) ?? 0) + 1);
      return value;
    });
    expect([...seen].filter(([, times]) => times > 1).map(([text]) => text)).toEqual([]);
  });

  const shared = worldOfFile();
  const prepared = new Map<string, Promise<Prepared>>();

  it.each(nouns)('declares every answer to requests made from it: %s', async (noun) => {
    const { app, world } = shared;
    const asking = new Asking(app, world, prepared);
    const ours = operations.filter(({ operationId }) => operationId.startsWith(`${noun}.`));
    let seed = SEED;
    for (const operation of ours) {
      // Counted over all nouns: those with a single operation would all get the same role.
      const index = operations.indexOf(operation);
      const chosen = inTurn(roles, index, roles.length);
      for (const role of new Set([...chosen, 'admin' as const]))
        await asking.ask(operation, role, (_, example) => example());
      for (const role of chosen) {
        await asking.ask(operation, role, (things) => sample(validRequests(operation, things), ++seed));
        await asking.ask(operation, role, (things) => sample(spoiledRequests(operation, things), ++seed));
      }
      for (const spoil of inTurn(Object.values(faults), index, 8))
        await asking.ask(operation, 'admin', (things) =>
          spoil(sample(validRequests(operation, things), ++seed)),
        );
    }
    expect(asking.problems).toEqual([]);
    const ids = ours.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !asking.done.has(id) && !notDone.includes(id))).toEqual([]);
  });

  it('declares every answer while the database is down', async () => {
    await using service = await testApp({ settings: { apiKey: true } });
    const { token } = await service.asAdmin();
    await service.store.close();
    const things = { ids: ['f'.repeat(24)], file: undefined };
    const problems: string[] = [];
    for (const operation of operations) {
      const { path, body } = sample(validRequests(operation, things), SEED);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await service.asNobody.call(operation.method, path, { body, headers });
      const found = undeclared(operation, answer);
      if (found) problems.push(`${operation.operationId}: ${found}`);
    }
    expect(problems).toEqual([]);
  });
});
