import { api, type KaptainApi, type Route } from '@kaptain/contract';
import { requests, type ValidRequest } from '../../apps/service/src/testing/access-matrix/requests.ts';
import type { Draft } from './draft.ts';
import { fromSchema, schemaOf } from './from-schema.ts';
import type { Random } from './random.ts';
import { type Role, roles } from './roles.ts';
import type { World } from './world.ts';

/** One call of the contract. */
export interface ContractCall {
  name: string;
  route: Route;
  valid: ValidRequest;
}

/** Every call of the contract; a new one is fuzzed once the access matrix has a valid request for it. */
export const calls: readonly ContractCall[] = Object.entries(api).flatMap(([noun, routes]) =>
  Object.entries<Route>(routes).map(([name, route]) => ({
    name: `${noun}.${name}`,
    route,
    valid: (requests[noun as keyof KaptainApi] as Record<string, ValidRequest>)[name] ?? {},
  })),
);

/** Calls that would end the run: a restart, and the password of the keeper. */
export function isExcluded({ name }: ContractCall, role: Role): boolean {
  const isAdmin = role === 'ADMIN' || role === 'admin';
  return (name === 'settings.restart' && isAdmin) || (name === 'account.changePassword' && role === 'admin');
}

/** Calls that connect to other servers, with a time limit of 10 s. */
const asksOthers =
  /^(settings\.(testConnection|update|returnTo|importAll|previewImport)|status\.get|jobs\.apps)$/;

/** Calls that hash passwords, one at a time on a thread of low priority, which is slow on a busy machine. */
const hashesPasswords =
  /^(session\.(login|init)|account\.changePassword|secondFactor\.prove|users\.(create|update)|settings\..*)$/;

export function timeLimitMs({ name }: ContractCall, usualMs: number): number {
  return usualMs + (asksOthers.test(name) ? 15_000 : 0) + (hashesPasswords.test(name) ? 150_000 : 0);
}

const BOUNDARY = 'kaptain-fuzz-boundary';

function bodyOf({ name, route, valid }: ContractCall, world: World, id: string, random: Random): unknown {
  if (name === 'settings.update') return world.baseSettings();
  if (name === 'settings.exportAll' && random.chance(0.3)) return { passphrase: 'a passphrase to seal with' };
  const usual = valid.body?.(id, world.victim(random), world.granuleId(random));
  if (!route.body || random.chance(0.6)) return usual;
  const extra = fromSchema(schemaOf(route.body), random);
  const isObject = typeof extra === 'object' && extra !== null && typeof usual === 'object' && usual !== null;
  return isObject ? { ...extra, ...usual } : usual;
}

function queryOf({ route, valid }: ContractCall, id: string, random: Random): string {
  const usual = valid.query?.(id) ?? '';
  if (!route.query || random.chance(0.4)) return usual;
  const extra = fromSchema(schemaOf(route.query), random) as Record<string, unknown>;
  const more = new URLSearchParams();
  for (const [key, value] of Object.entries(extra))
    if (!usual.includes(`${key}=`)) more.set(key, String(value).slice(0, 2000));
  return [usual, more.toString()].filter((text) => text !== '').join('&');
}

function targetOf(call: ContractCall, world: World, id: string, random: Random): string {
  const given = call.valid.params?.(id, world.granuleId(random)) ?? [];
  let index = 0;
  const path = call.route.path.replace(/:\w+/g, () => encodeURIComponent(given[index++] ?? ''));
  const query = queryOf(call, id, random);
  return query === '' ? path : `${path}?${query}`;
}

/** A request that the service accepts, if the role may make it. */
export async function validDraft(
  call: ContractCall,
  role: Role,
  world: World,
  random: Random,
): Promise<Draft> {
  const { route, valid } = call;
  const id = valid.kind ? world.idOf(valid.kind, role, random) : '';
  const target = targetOf(call, world, id, random);
  const draft: Draft = {
    method: route.method,
    target,
    version: 'HTTP/1.1',
    headers: [['Host', 'localhost'], ...roles[role].headers(world)],
    body: undefined,
    boundary: BOUNDARY,
    maxFiles: route.files?.maxFiles ?? 1,
    framing: 'length',
    isCut: false,
  };
  if (role === 'ticket' && route.answer.kind === 'download')
    draft.target = await world.ticketFor(target, random);
  const { file } = valid;
  if (file) {
    const disposition = `content-disposition: form-data; name="${file.field}"; filename="${file.name}"`;
    const content = Buffer.from(file.name.endsWith('.kap') ? world.kapFile(random) : file.content, 'latin1');
    draft.parts = [{ headers: [disposition, 'content-type: application/octet-stream'], content }];
  } else if (route.body) {
    draft.headers.push(['content-type', 'application/json']);
    draft.body = Buffer.from(JSON.stringify(bodyOf(call, world, id, random)) ?? '');
  }
  if (random.chance(0.5)) draft.headers.push(['connection', 'close']);
  return draft;
}
