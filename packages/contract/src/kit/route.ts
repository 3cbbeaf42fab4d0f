import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** Who may make a call at all; what they may do to an object is decided by permissions.ts. */
export const accessLevels = {
  everyone: 'Nobody needs to be logged in.',
  loggedIn: 'Any logged-in user.',
  admin: 'Users with the role ADMIN.',
  adminWithApiKeys: 'Users with the role ADMIN, while the apiKey setting is on.',
  firstAdmin: 'Only the account made by the first visit (admin).',
  dataApi: 'An API key while the apiKey setting is on, or any logged-in user.',
} as const;
export type Access = keyof typeof accessLevels;

export interface FilesRule {
  /** The multipart field's name, as SPEC 7 writes it. */
  field: string;
  many: boolean;
  /** File name endings that are accepted, with the dot. */
  endings: readonly string[];
  maxBytes: number;
  maxFiles: number;
  /** A file that is too large or has another ending fails alone, not the whole request. */
  failsAlone?: true;
}

/** What a call answers with: a JSON value, plain text, nothing at all, or a file or stream. */
export type Answer =
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
  /** Not one of SPEC 7's calls: a foreign service may not know it. */
  extra?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Bytes of the body, where the common limit is too small. */
  maxBodyBytes?: number;
  files?: FilesRule;
  answer: Answer;
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

/** What a handler gets, checked. */
export interface Given<R extends Route> {
  params: Out<R['params']>;
  query: Out<R['query']>;
  body: Out<R['body']>;
}

/** What a caller gives: only the parts the route declares. */
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
      : { sent: never; received: Blob };

/** What a handler returns. */
export type Sent<R extends Route> = AnswerTypes<R['answer']>['sent'];
/** What the client resolves to. */
export type Received<R extends Route> = AnswerTypes<R['answer']>['received'];
