import { type Actor, api, mayCall, type Route } from '@kaptain/contract';
import { type ActorName, actorNames, type Relation, type Rows } from './rows.ts';
import { matrix } from './table.ts';

export interface Cell {
  noun: string;
  name: string;
  route: Route;
  relation: Relation;
  actor: ActorName;
  expected: number;
}

const statuses = (row: string) => row.split(' ').map(Number);

/** The whole table as a list, one entry per request. */
export function cells(): Cell[] {
  const table = matrix as Record<string, Record<string, Rows>>;
  return Object.entries(api).flatMap(([noun, routes]) =>
    Object.entries<Route>(routes).flatMap(([name, route]) =>
      Object.entries(table[noun]?.[name] ?? {}).flatMap(([relation, row]) =>
        actorNames.map((actor, column) => ({
          noun,
          name,
          route,
          relation: relation as Relation,
          actor,
          expected: statuses(row)[column] ?? Number.NaN,
        })),
      ),
    ),
  );
}

const user: Actor = { userId: 'u', role: 'USER', isCreate: false, isFirstAdmin: false };
const admin: Actor = { ...user, role: 'ADMIN' };
const actors: Partial<Record<ActorName, Actor>> = {
  USER: user,
  reader: user,
  writer: user,
  deleter: user,
  owner: user,
  ADMIN: admin,
  admin: { ...admin, isFirstAdmin: true },
};

/** A token of the extension opens the data API of its kapsule, its history and events, and its own renewal. */
function refusalOfExtension({ route: { access }, relation }: Pick<Cell, 'route' | 'relation'>) {
  if (access === 'extension') return undefined;
  if (access !== 'dataApi' && access !== 'loggedInOrExtension') return 403;
  return relation === 'own' ? undefined : 403;
}

/** The answer of `admit` in serve-api.ts alone: a refusal, or undefined when the handler decides. */
export function refusalByAdmit({
  route,
  actor,
  relation,
}: Pick<Cell, 'route' | 'actor' | 'relation'>): 401 | 403 | undefined {
  if (route.access === 'everyone') return undefined;
  if (actor === 'key' || actor === 'readKey')
    return route.access === 'dataApi' || route.access === 'loggedInOrKey' ? undefined : 403;
  if (actor === 'extension') return refusalOfExtension({ route, relation });
  const caller = actors[actor];
  if (!caller) return 401;
  if (route.access === 'extension') return 403;
  return mayCall(route.access, caller, true) ? undefined : 403;
}
