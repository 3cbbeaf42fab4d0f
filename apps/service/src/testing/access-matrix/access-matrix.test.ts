import { api } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import type { TestApp } from '../test-app.ts';
import { trailLines } from '../trail-lines.ts';
import { type Cell, cells, refusalByAdmit } from './cells.ts';
import { actorNames } from './rows.ts';
import { requestOf, validCall } from './valid-call.ts';
import type { World } from './world.ts';
import { worldOfFile } from './world-of-file.ts';

const all = cells();
const label = ({ noun, name, relation, actor }: Cell) => `${noun}.${name} ${relation} ${actor}`;

type Prepared = Awaited<ReturnType<World['prepare']>>;

/**
 * Calls that read and calls that are refused change nothing: they share their callers and objects. The first admin is the
 * same user in all calls, some of which end all other sessions of their caller.
 */
const isShared = ({ route, expected, actor }: Cell): boolean =>
  actor !== 'admin' && (route.method === 'GET' || [401, 403, 404].includes(expected));

const allPrepared = new Map<string, Promise<Prepared>>();
function preparedFor(world: World, cell: Cell): Promise<Prepared> {
  const { actor, relation } = cell;
  const { kind } = requestOf(cell);
  if (!isShared(cell)) return world.prepare(actor, kind, relation);
  const name = `${actor} ${kind} ${relation}`;
  const prepared = allPrepared.get(name) ?? world.prepare(actor, kind, relation);
  allPrepared.set(name, prepared);
  return prepared;
}

/** The status of an endless answer. */
async function beginningOf({ http }: TestApp, url: string, headers: Record<string, string>): Promise<number> {
  const response = await http.inject({
    url,
    headers: { host: 'localhost', ...headers },
    payloadAsStream: true,
  });
  response.stream().destroy();
  return response.statusCode;
}

async function ask(app: TestApp, world: World, cell: Cell): Promise<number> {
  const { method, answer } = cell.route;
  const { path, ...sent } = validCall(cell.route, requestOf(cell), await preparedFor(world, cell));
  if (answer.kind === 'download' && answer.contentType === 'text/event-stream')
    return beginningOf(app, path, sent.headers);
  return (await app.asNobody.call(method, path, sent)).status;
}

describe('the access matrix', () => {
  const shared = worldOfFile();

  it('declares one status for each actor and relation of every call', () => {
    const undeclared = all.filter(({ expected }) => !(expected >= 200 && expected < 500)).map(label);
    expect(undeclared).toEqual([]);
    const routes = new Set(all.map(({ noun, name }) => `${noun}.${name}`));
    expect(routes.size).toBe(Object.values(api).flatMap((noun) => Object.keys(noun)).length);
    expect(all.length % actorNames.length).toBe(0);
  });

  it('declares the refusals that follow from the access of each route', () => {
    const contradictions = all.filter((cell) => {
      const refusal = refusalByAdmit(cell);
      return refusal === undefined ? cell.expected === 401 : cell.expected !== refusal;
    });
    expect(contradictions.map(label)).toEqual([]);
  });

  it('has relations for exactly those calls that have an object', () => {
    const odd = all.filter((cell) => (requestOf(cell).kind === undefined) !== (cell.relation === 'any'));
    expect(odd.map(label)).toEqual([]);
  });

  it.each(Object.keys(api))('is what the service answers: %s', async (noun) => {
    const { app, world } = shared;
    const [asked, declared]: [string[], string[]] = [[], []];
    for (const cell of all.filter((entry) => entry.noun === noun)) {
      declared.push(`${label(cell)} ${cell.expected}`);
      asked.push(`${label(cell)} ${await ask(app, world, cell)}`);
    }
    expect(asked).toEqual(declared);
  });

  it('writes each entry of the audit trail to the app log', async () => {
    const { app } = shared;
    expect(trailLines(app)).toEqual((await app.store.audit.all()).map(({ id, action }) => [id, action]));
  });
});
