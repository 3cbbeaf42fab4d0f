import type { FilesRule } from '@kaptain/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../base/call/caller.ts';
import { AppError, bodyTooLarge } from '../../base/errors/app-error.ts';
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { UPLOADS_FOR_ADMINS, UPLOADS_OVERALL, UPLOADS_PER_USER } from '../tuning.ts';
import { boundaryOf } from './multipart/boundary.ts';
import { MalformedError } from './multipart/malformed.ts';
import type { TemporaryFiles } from './temporary-files.ts';
import { bodyLimit, Upload, type UploadedFile } from './upload.ts';

const tooMany = 'Too many uploads at once. Please wait for the others to finish.';

/** Checks type and size by the headers alone; returns the boundary of the multipart body. */
function requireBoundary({ headers }: FastifyRequest, rule: FilesRule): string {
  let boundary: string | undefined;
  try {
    boundary = boundaryOf(headers['content-type']);
  } catch (error) {
    if (error instanceof MalformedError) throw new AppError('BAD_REQUEST', error.message);
    throw error;
  }
  if (boundary === undefined) throw new AppError('WRONG_TYPE');
  if (Number(headers['content-length'] ?? 0) > bodyLimit(rule)) throw bodyTooLarge(bodyLimit(rule));
  return boundary;
}

/** Receives uploaded files, for four requests at a time at most: each costs disk, and often a thread. */
export class Uploads {
  readonly #temporary: TemporaryFiles;
  readonly limit = new ConcurrencyLimit(UPLOADS_PER_USER, UPLOADS_OVERALL, UPLOADS_FOR_ADMINS);

  constructor(temporary: TemporaryFiles) {
    this.#temporary = temporary;
  }

  /**
   * Runs the work; `receive` reads the files when the work calls it. The files and the permit last as long as the work,
   * because work that goes on after the client has disconnected still costs disk and a thread.
   */
  async during<T>(
    rule: FilesRule,
    request: FastifyRequest,
    { userId, role }: Pick<Caller, 'userId' | 'role'>,
    work: (receive: () => Promise<readonly UploadedFile[]>) => Promise<T>,
  ): Promise<T> {
    const boundary = requireBoundary(request, rule);
    const release = this.limit.acquire(userId, tooMany, role);
    try {
      await using upload = new Upload(this.#temporary, rule);
      return await work(() => upload.receive(request.raw, boundary));
    } finally {
      release();
    }
  }
}
