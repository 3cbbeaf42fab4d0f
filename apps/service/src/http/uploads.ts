import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import { type FilesRule, limits } from '@kaptain/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { Concurrency } from './concurrency.ts';
import { shownName } from './file-names.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** A file a caller sent, on disk as long as the request lasts. */
export interface UploadedFile {
  /** As the caller named it, without what can't be seen. */
  name: string;
  path: string;
  bytes: number;
  /** Why this file counts as refused, where each file fails alone. */
  problem?: AppError;
}

const FIELDS = 5;
const FIELD_NAMES = /^files?(\[\])?$/;
const tooMany = 'Too many uploads at once. Please wait for the others to finish.';

const partLimits = ({ maxFiles, maxBytes }: FilesRule) => ({
  parts: maxFiles + FIELDS,
  files: maxFiles,
  fields: FIELDS,
  fieldNameSize: 100,
  fieldSize: 1024,
  headerPairs: 50,
  fileSize: maxBytes,
});

/** Whatever the parser or the disk throws, in our words. */
function inOurWords(error: unknown, { maxFiles }: FilesRule): AppError {
  if (error instanceof AppError) return error;
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('DISK_FULL');
  if (code === 'FST_FILES_LIMIT')
    return new AppError('TOO_LARGE', `Please send at most ${maxFiles} files at once.`);
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return new AppError('TOO_LARGE');
  return new AppError('BAD_REQUEST', 'The upload is not valid or did not arrive completely.');
}

function problemOf(part: MultipartFile, name: string, rule: FilesRule): AppError | undefined {
  if (part.file.truncated)
    return new AppError('TOO_LARGE', `${name}: a file may have at most ${rule.maxBytes} bytes.`);
  if (name === '' || name.length > limits.nameCharacters)
    return new AppError('BAD_INPUT', 'A file needs a name.');
  if (rule.endings.some((ending) => name.toLowerCase().endsWith(ending))) return undefined;
  return new AppError('BAD_INPUT', `${name}: only ${rule.endings.join(', ')} files are accepted.`);
}

/** One request's files; gone from the disk when it is disposed of. */
export class Upload implements AsyncDisposable {
  readonly files: UploadedFile[] = [];
  readonly #temporary: TemporaryFiles;
  readonly #rule: FilesRule;

  constructor(temporary: TemporaryFiles, rule: FilesRule) {
    this.#temporary = temporary;
    this.#rule = rule;
  }

  async receive(request: FastifyRequest): Promise<readonly UploadedFile[]> {
    const { maxBytes, maxFiles } = this.#rule;
    if (!request.isMultipart()) throw new AppError('WRONG_TYPE');
    if (Number(request.headers['content-length'] ?? 0) > maxFiles * (maxBytes + 4096))
      throw new AppError('TOO_LARGE');
    try {
      const options = { limits: partLimits(this.#rule), throwFileSizeLimit: false };
      for await (const part of request.parts(options)) if (part.type === 'file') await this.#take(part);
    } catch (error) {
      throw inOurWords(error, this.#rule);
    }
    if (this.files.length === 0) throw new AppError('BAD_INPUT', 'Please choose a file.');
    return this.files;
  }

  async #take(part: MultipartFile): Promise<void> {
    if (!FIELD_NAMES.test(part.fieldname))
      throw new AppError('BAD_INPUT', `Files are sent in the field ${this.#rule.field}.`);
    const { path, handle } = await this.#temporary.create();
    const file: UploadedFile = { name: shownName(part.filename), path, bytes: 0 };
    this.files.push(file);
    // A refused ending is known before the content is read.
    const early = this.#rule.failsAlone ? undefined : problemOf(part, file.name, this.#rule);
    if (!early) {
      if (!this.#rule.failsAlone)
        part.file.once('limit', () => part.file.destroy(problemOf(part, file.name, this.#rule)));
      const target = handle.createWriteStream();
      await pipeline(part.file, target);
      file.bytes = target.bytesWritten;
    } else await handle.close();
    const problem = early ?? problemOf(part, file.name, this.#rule);
    if (problem && !this.#rule.failsAlone) throw problem;
    if (problem) file.problem = problem;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { path } of this.files) await this.#temporary.remove(path);
  }
}

/** Takes files in, a few requests at a time: each costs disk, and often a thread. */
export class Uploads {
  readonly #temporary: TemporaryFiles;
  readonly #places = new Concurrency(2, 4);

  constructor(temporary: TemporaryFiles) {
    this.#temporary = temporary;
  }

  /** Runs the work; `receive` reads the files when the work asks for them, and they are removed when it is over. */
  async during<T>(
    rule: FilesRule,
    request: FastifyRequest,
    userId: string,
    work: (receive: () => Promise<readonly UploadedFile[]>) => Promise<T>,
  ): Promise<T> {
    const giveBack = this.#places.take(userId, tooMany);
    try {
      await using upload = new Upload(this.#temporary, rule);
      return await work(() => upload.receive(request));
    } finally {
      giveBack();
    }
  }
}
