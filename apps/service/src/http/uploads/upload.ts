import type { IncomingMessage } from 'node:http';
import { type FilesRule, limits } from '@kaptain/contract';
import { AppError, bodyTooLarge } from '../../base/errors/app-error.ts';
import { shownName } from '../downloads/file-names.ts';
import { MalformedError } from './multipart/malformed.ts';
import { MultipartReader } from './multipart/multipart-reader.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** An uploaded file, on disk until its request ends. */
export interface UploadedFile {
  /** The client's name for it, without invisible characters. */
  name: string;
  path: string;
  bytes: number;
  /** Why this file was refused, on routes where each file fails alone. */
  problem?: AppError;
}

const FIELDS = 5;
const FIELD_BYTES = 1024;
const FIELD_NAMES = /^files?(\[\])?$/;
/** Allowed for the headers of a part and its delimiter. */
const PART_OVERHEAD_BYTES = 4096;

/** The maximum size of the whole body. */
export const bodyLimit = ({ maxFiles, maxBytes }: FilesRule): number =>
  maxFiles * (maxBytes + PART_OVERHEAD_BYTES);

/** The body in chunks. Leaving the loop keeps the connection open, because the error is still to be sent on it. */
async function* chunksOf(raw: IncomingMessage, limit: number): AsyncGenerator<Buffer, undefined> {
  let bytes = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit) throw bodyTooLarge(limit);
    yield chunk;
  }
}

/** The error to answer for a failure of the body or the disk; other errors are bugs and stay as they are. */
function refusalOf(error: unknown, raw: IncomingMessage): unknown {
  if (error instanceof AppError) return error;
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('DISK_FULL');
  if (error instanceof MalformedError || raw.destroyed)
    return new AppError('BAD_REQUEST', 'The upload is not valid or did not arrive completely.');
  return error;
}

function problemOf(name: string, { endings }: FilesRule): AppError | undefined {
  if (name === '' || name.length > limits.nameCharacters)
    return new AppError('BAD_INPUT', 'A file needs a name.');
  if (endings.some((ending) => name.toLowerCase().endsWith(ending))) return undefined;
  return new AppError('BAD_INPUT', `${name}: only ${endings.join(', ')} files are accepted.`);
}

/** The files of one request; disposing of it removes them from the disk. */
export class Upload implements AsyncDisposable {
  readonly files: UploadedFile[] = [];
  readonly #temporary: TemporaryFiles;
  readonly #rule: FilesRule;

  constructor(temporary: TemporaryFiles, rule: FilesRule) {
    this.#temporary = temporary;
    this.#rule = rule;
  }

  /** Resolves when the whole body has arrived; rejects when it breaks a rule or the connection closes. */
  async receive(raw: IncomingMessage, boundary: string): Promise<readonly UploadedFile[]> {
    const chunks = chunksOf(raw, bodyLimit(this.#rule));
    try {
      await this.#readParts(new MultipartReader(chunks, boundary));
    } catch (error) {
      throw refusalOf(error, raw);
    } finally {
      await chunks.return(undefined);
    }
    if (this.files.length === 0) throw new AppError('BAD_INPUT', 'Please choose a file.');
    return this.files;
  }

  async #readParts(reader: MultipartReader): Promise<void> {
    let fields = 0;
    for (let part = await reader.nextPart(); part; part = await reader.nextPart()) {
      if (part.fileName === undefined) {
        if (++fields > FIELDS)
          throw new AppError('TOO_LARGE', `An upload may have at most ${FIELDS} fields beside its files.`);
        await this.#skipField(reader);
      } else {
        if (!FIELD_NAMES.test(part.name))
          throw new AppError('BAD_INPUT', `Files are sent in the field ${this.#rule.field}.`);
        await this.#keepFile(reader, shownName(part.fileName));
      }
    }
  }

  async #skipField(reader: MultipartReader): Promise<void> {
    let size = 0;
    for (let bytes = await reader.read(); bytes; bytes = await reader.read())
      if ((size += bytes.length) > FIELD_BYTES)
        throw new AppError('TOO_LARGE', `A field of an upload may have at most ${FIELD_BYTES} bytes.`);
  }

  async #keepFile(reader: MultipartReader, name: string): Promise<void> {
    const { maxFiles, maxBytes } = this.#rule;
    if (this.files.length === maxFiles)
      throw new AppError('TOO_LARGE', `Please send at most ${maxFiles} files at once.`);
    const { path, handle } = await this.#temporary.create();
    await using target = handle;
    const file: UploadedFile = { name, path, bytes: 0 };
    this.files.push(file);
    const problem = problemOf(name, this.#rule);
    if (problem) return this.#refuse(file, problem);
    for (let bytes = await reader.read(); bytes; bytes = await reader.read()) {
      file.bytes += bytes.length;
      if (file.bytes > maxBytes)
        return this.#refuse(
          file,
          new AppError('TOO_LARGE', `${name}: a file may have at most ${maxBytes} bytes.`),
        );
      await target.appendFile(bytes);
    }
  }

  /** Marks one file as refused; the reader skips the rest of it. */
  #refuse(file: UploadedFile, problem: AppError): void {
    if (!this.#rule.failsAlone) throw problem;
    file.problem = problem;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { path } of this.files) await this.#temporary.remove(path);
  }
}
