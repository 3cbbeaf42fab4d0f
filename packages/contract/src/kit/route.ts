import type { z } from 'zod';
import type { ErrorCode } from '../rules/errors.ts';

/** The callers that a call admits; permissions.ts decides about each object. */
export const accessLevels = {
  everyone: 'Nobody needs to be logged in.',
  loggedIn: 'Any logged-in user.',
  loggedInOrKey: 'Any logged-in user, or an API key while the apiKey setting is on.',
  loggedInOrExtension: 'Any logged-in user, or a token of the extension for one of its kapsules.',
  admin: 'Users with the role ADMIN.',
  adminWithApiKeys: 'Users with the role ADMIN, while the apiKey setting is on.',
  firstAdmin: 'Only the account made by the first visit (admin).',
  dataApi:
    'An API key while the apiKey setting is on, any logged-in user, or a token of the extension for one of its kapsules.',
  extension: 'A token of the extension.',
} as const;
export type Access = keyof typeof accessLevels;

export interface FilesRule {
  /** The name of the multipart field (SPEC 7). */
  field: string;
  many: boolean;
  /** File name endings that are accepted, with the dot. */
  endings: readonly string[];
  maxBytes: number;
  maxFiles: number;
  /** A file that is too large or has another ending fails alone; the other files are accepted. */
  failsAlone?: true;
}

/** The response of a call: JSON, plain text, no content, or a download. */
type Answer =
  | { kind: 'json'; schema: z.ZodType; streamed?: boolean }
  | { kind: 'text' }
  | { kind: 'nothing' }
  | { kind: 'download'; contentType: string; otherTypes?: readonly string[]; inline?: boolean };

export const json = <S extends z.ZodType>(schema: S) => ({ kind: 'json', schema }) as const;
export const streamedJson = <S extends z.ZodType>(schema: S) =>
  ({ kind: 'json', schema, streamed: true }) as const;
export const text = { kind: 'text' } as const;
export const nothing = { kind: 'nothing' } as const;
export const download = (contentType: string, otherTypes: readonly string[] = []) =>
  ({ kind: 'download', contentType, otherTypes }) as const;

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for parameters. */
  path: `/${string}`;
  access: Access;
  summary: string;
  /** Not a call of SPEC 7: another service may not have it. */
  extra?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body limit, where it differs from the common one. */
  maxBodyBytes?: number;
  files?: FilesRule;
  answer: Answer;
  /**
   * The caller must have shown in the last 15 minutes who they are, by password or second factor: always, or while the
   * settings ask for it.
   */
  proof?: 'always' | 'ifAsked';
  /** Also open to an ADMIN without the second factor that the settings require: they need it to set one up. */
  beforeSecondFactor?: true;
  /** The header If-Match is looked at: a change meant for another version is refused. */
  ifMatch?: true;
  /** Codes that its handler decides; those that its shape implies are in kit/error-codes.ts. */
  errors?: readonly ErrorCode[];
}

/** A route is data; types, server routes, client, documentation and access table are derived from it. */
export const route = <const R extends Route>(definition: R): R => definition;

export type Routes = Record<string, Route>;
export type Api = Record<string, Routes>;

type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : never;

/** The validated input of a handler. */
export interface Given<R extends Route> {
  params: Out<R['params']>;
  query: Out<R['query']>;
  body: Out<R['body']>;
}

/** The input of a call: only the parts that the route declares. */
export type CallInput<R extends Route> = (R['params'] extends z.ZodType
  ? { params: In<R['params']> }
  : object) &
  (R['query'] extends z.ZodType ? { query?: In<R['query']> } : object) &
  (R['body'] extends z.ZodType ? { body: In<R['body']> } : object) &
  (R['files'] extends FilesRule ? { files: readonly File[] } : object);

type AnswerTypes<A extends Answer> = A extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? { sent: z.input<S>; received: z.output<S> }
  : A extends { kind: 'text' }
    ? { sent: string; received: string }
    : A extends { kind: 'nothing' }
      ? { sent: void; received: void }
      : // The response itself: its headers, and its body as a stream.
        { sent: never; received: Response };

/** The return type of a handler. */
export type Sent<R extends Route> = AnswerTypes<R['answer']>['sent'];
/** The result type of the client. */
export type Received<R extends Route> = AnswerTypes<R['answer']>['received'];
