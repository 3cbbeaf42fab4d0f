import type { KaptainApi } from '@kaptain/contract';

/** The only allowed origin. */
export const ALLOWED_PAGE = 'https://hub.example.com';

/** The callers, in the order of the columns below. */
export const actors = {
  nobody: 'no credential at all',
  USER: 'a USER without a group',
  reader: 'a USER whose group grants READ',
  deleter: 'a USER whose group grants READ and DELETE',
  owner: 'a USER who may create kapsules and owns one',
  ADMIN: 'an ADMIN',
  admin: 'the first admin',
  key: 'an API key that may delete granules',
  revoked: 'the token of a session that has ended',
  extension: 'a token of the extension for the kapsule of a user whose group grants READ and DELETE',
  writer: 'a USER whose group grants READ and WRITE',
  readKey: 'an API key that only reads',
} as const;
export type ActorName = keyof typeof actors;
export const actorNames = Object.keys(actors) as ActorName[];

/** The relation between the caller and the object. */
export const relations = {
  any: 'the call has no object',
  own: 'oneself, or what one made or belongs to; for kapsules the one of the owner, shared with the three groups',
  foreign: 'of somebody else, in nobody’s group',
  missing: 'does not exist',
} as const;
export type Relation = keyof typeof relations;

/** One status per actor. */
type Row = string;
export type Rows = { any: Row } | { own: Row; foreign: Row; missing: Row };

export const everyone = { any: '200 200 200 200 200 200 200 200 200 200 200 200' };
export const loggedIn = { any: '401 200 200 200 200 200 200 403 401 403 200 403' };
export const admins = { any: '401 403 403 403 403 200 200 403 401 403 403 403' };
/** For calls whose only object does not exist in the test. */
export const adminsInVain = { any: '401 403 403 403 403 404 404 403 401 403 403 403' };
export const creators = { any: '401 403 403 403 200 200 200 403 401 403 403 403' };

export const managed = {
  own: '401 403 403 403 403 200 200 403 401 403 403 403',
  foreign: '401 403 403 403 403 200 200 403 401 403 403 403',
  missing: '401 403 403 403 403 404 404 403 401 403 403 403',
};
export const readable = {
  own: '401 404 200 200 200 200 200 403 401 403 200 403',
  foreign: '401 404 404 404 404 200 200 403 401 403 404 403',
  missing: '401 404 404 404 404 404 404 403 401 403 404 403',
};
export const writable = {
  own: '401 404 403 200 200 200 200 403 401 403 403 403',
  foreign: '401 404 404 404 404 200 200 403 401 403 404 403',
  missing: '401 404 404 404 404 404 404 403 401 403 404 403',
};
/** For the owner and ADMINs. */
export const restorable = {
  own: '401 404 404 404 200 200 200 403 401 403 404 403',
  foreign: '401 404 404 404 404 200 200 403 401 403 404 403',
  missing: '401 404 404 404 404 404 404 403 401 403 404 403',
};
/** A caller who may not read a kapsule gets the same answer as for a missing one. */
export const deletable = {
  own: '401 403 403 200 200 200 200 403 401 403 403 403',
  foreign: '401 403 403 403 403 200 200 403 401 403 403 403',
  missing: '401 403 403 403 403 404 404 403 401 403 403 403',
};
/** Like the two above, also with an API key that may delete. */
export const writableOrByKey = {
  own: '401 404 403 200 200 200 200 200 401 403 403 403',
  foreign: '401 404 404 404 404 200 200 200 401 403 404 403',
  missing: '401 404 404 404 404 404 404 404 401 403 404 403',
};
export const deletableByKey = {
  own: '401 403 403 200 200 200 200 200 401 403 403 403',
  foreign: '401 403 403 403 403 200 200 200 401 403 403 403',
  missing: '401 403 403 403 403 404 404 404 401 403 403 403',
};
export const readableByKey = {
  own: '401 404 200 200 200 200 200 200 401 200 200 200',
  foreign: '401 404 404 404 404 200 200 200 401 403 404 200',
  missing: '401 404 404 404 404 404 404 404 401 403 404 404',
};
export const writableByKey = {
  own: '401 404 403 200 200 200 200 200 401 200 200 403',
  foreign: '401 404 404 404 404 200 200 200 401 403 404 403',
  missing: '401 404 404 404 404 404 404 404 401 403 404 403',
};

/** Like the one before, also with an API key that only reads. */
export const confirmable = {
  own: '401 404 403 200 200 200 200 200 401 200 200 200',
  foreign: '401 404 404 404 404 200 200 200 401 403 404 200',
  missing: '401 404 404 404 404 404 404 404 401 403 404 404',
};
/** Like `writable`, also with WRITE. */
export const importable = { ...writable, own: '401 404 403 200 200 200 200 403 401 403 200 403' };

/** For the user who started the run and ADMINs. */
export const ownRun = {
  own: '401 200 200 200 200 200 200 403 401 403 200 403',
  foreign: '401 404 404 404 404 200 200 403 401 403 404 403',
  missing: '401 404 404 404 404 404 404 403 401 403 404 403',
};
export const readableOnSheet = {
  own: '401 404 200 200 200 200 200 403 401 200 200 403',
  foreign: '401 404 404 404 404 200 200 403 401 403 404 403',
  missing: '401 404 404 404 404 404 404 403 401 403 404 403',
};

export type Matrix = { [Noun in keyof KaptainApi]: { [Name in keyof KaptainApi[Noun]]: Rows } };
