import type { Access, Actor, Given, Route, Routes, Sent } from '@kaptain/contract';

/** Who makes a call, read anew from the store for every request. */
export interface Caller extends Actor {
  username: string;
  /** The name of the API key the call came with instead of a session. */
  apiKey?: string;
}

/** Somebody who logged in: everyone but the callers of the data API. */
export interface SessionCaller extends Caller {
  sessionId: string;
}

/** What a handler knows of a request beside its checked input. */
export interface Call<A extends Access = Access> {
  requestId: string;
  ip: string;
  userAgent: string;
  /** The name under which the service was called, without the port. */
  hostname: string;
  caller: A extends 'everyone' ? undefined : A extends 'dataApi' ? Caller : SessionCaller;
}

export type Handler<R extends Route> = (
  given: Given<R>,
  call: Call<R['access']>,
) => Promise<Sent<R>> | Sent<R>;

/** Marks a call that is in the contract but not built yet: it answers 501. */
export const notYetServed = Symbol('not yet served');

/** One handler for every route of a noun: a missing one does not compile. */
export type Handlers<R extends Routes> = {
  [Name in keyof R]: Handler<R[Name]> | typeof notYetServed;
};

/** Every route of a noun of which nothing is built yet. */
export const noneServedYet = <R extends Routes>(routes: R): Handlers<R> =>
  Object.fromEntries(Object.keys(routes).map((name) => [name, notYetServed])) as Handlers<R>;
