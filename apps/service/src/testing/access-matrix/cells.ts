import { type Actor, api, mayCall, type Route } from '@kaptain/contract';
import { type ActorName, actorNames, matrix, type Relation, type Rows } from './table.ts';

export interface Cell {
  noun: string;
  name: string;
  route: Route;
  relation: Relation;
  actor: ActorName;
  expected: number;
}

const statuses = (row: string) => row.split(' ').map(Number);

/** The whole table as a list, one entry for each request to be made. */
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
const known: Partial<Record<ActorName, Actor>> = {
  USER: user,
  reader: user,
  deleter: user,
  owner: user,
  ADMIN: admin,
  admin: { ...admin, isFirstAdmin: true },
};

/** The answer of `admit` in serve.ts alone: a refusal, or undefined when the handler decides. */
export function refusalAtGate({ route, actor }: Pick<Cell, 'route' | 'actor'>): 401 | 403 | undefined {
  if (route.access === 'everyone' || (route.access === 'dataApi' && actor === 'key')) return undefined;
  const caller = known[actor];
  if (!caller) return 401;
  return mayCall(route.access, caller, true) ? undefined : 403;
}
