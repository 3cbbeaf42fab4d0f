import type { FilesRule, Given, Route, Routes, Sent } from '@kaptain/contract';
import type { Call } from '../../base/call/call.ts';
import type { PreparedJson } from '../answers/prepared-json.ts';
import type { Download, JsonStream } from '../downloads/downloads.ts';
import type { UploadedFile } from '../uploads/upload.ts';

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
