import type { Access, FilesRule, Given, Route, Routes, Sent } from '@kaptain/contract';
import type { Caller, ExtensionCaller, SessionCaller } from './caller.ts';
import type { Download, JsonStream } from './downloads.ts';
import type { PreparedJson } from './prepared-json.ts';
import type { UploadedFile } from './upload.ts';

export type { Caller, ExtensionCaller, SessionCaller } from './caller.ts';

/** What a handler learns of a request beside its validated input. */
export interface Call<A extends Access = Access> {
  requestId: string;
  ip: string;
  userAgent: string;
  /** The host name in the request's URL, without the port. */
  hostname: string;
  /** The scheme, host and port by which the caller reached the service, e.g. `https://kaptain.example.com:8443`. */
  origin: string;
  header(name: string): string | undefined;
  /** Aborts when the client disconnects before the answer is complete. */
  gone(): AbortSignal;
  caller: A extends 'everyone'
    ? undefined
    : A extends 'dataApi' | 'loggedInOrExtension' | 'loggedInOrKey'
      ? Caller
      : A extends 'extension'
        ? ExtensionCaller
        : SessionCaller;
}

/** A call of an authenticated caller, by session or by API key. */
export type KnownCall = Omit<Call, 'caller'> & { caller: Caller };

/** The handler reads uploaded files by `receiveFiles`, after it has checked that the caller may send them. */
type GivenTo<R extends Route> = Given<R> &
  (R['files'] extends FilesRule ? { receiveFiles: () => Promise<readonly UploadedFile[]> } : object);

type AnswerOf<R extends Route> = R['answer'] extends { kind: 'download' }
  ? Download
  : R['answer'] extends { streamed: true }
    ? Sent<R> | JsonStream
    : Sent<R> | PreparedJson<Sent<R>>;

export type Handler<R extends Route> = (
  given: GivenTo<R>,
  call: Call<R['access']>,
) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** One handler for every route of a noun: a missing one does not compile. */
export type Handlers<R extends Routes> = {
  [Name in keyof R]: Handler<R[Name]>;
};
