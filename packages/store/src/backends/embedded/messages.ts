import * as errors from '../../errors.ts';
import type { NounName } from '../../nouns/all.ts';
import type { DocumentMethod } from '../shared/typed-documents.ts';
import type { GranuleMethod } from './granules/commands.ts';
import type { ReceivedRows } from './granules/import.ts';
import type { SaveRequest } from './save.ts';

/** The commands of the writer and the background writer. With `inUnit` it is a step of a unit, whose transaction must be open. */
export type Command =
  | { kind: 'ping' | 'begin' | 'commit' | 'rollback' | 'checkpoint' | 'close' }
  | { kind: 'maintain'; isIdle: boolean }
  | { kind: 'save'; saves: SaveRequest[] }
  | { kind: 'document'; noun: NounName; method: DocumentMethod; args: unknown[]; inUnit: boolean }
  | { kind: 'receive'; importName: string; rows: ReceivedRows }
  | { kind: 'granules'; method: GranuleMethod; args: unknown[]; inUnit: boolean };

export interface Request {
  call: number;
  command: Command;
}

/** The result of one of the saves that share a message. */
export type Outcome = { value: unknown } | { failure: Failure };

export type Reply = { call: number; value: unknown } | { call: number; failure: Failure };

/** An error as a message between threads, which lose its class. */
export interface Failure {
  name: string;
  message: string;
  noun?: string;
  field?: string;
  id?: string;
  conflicts?: readonly errors.GranuleConflict[];
  count?: number;
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { noun, field, id, conflicts, count } = error as Partial<Failure>;
  return {
    name: error.name,
    message: error.message,
    ...(noun && { noun }),
    ...(field && { field }),
    ...(id && { id }),
    ...(conflicts && { conflicts }),
    ...(count && { count }),
  };
}

export function fromFailure(failure: Failure): Error {
  const { name, message, noun = '', field = '', id = '', conflicts = [], count } = failure;
  switch (name) {
    case 'UniqueError':
      return new errors.UniqueError(noun, field);
    case 'StaleVersionError':
      return new errors.StaleVersionError(noun, id);
    case 'NotFoundError':
      return new errors.NotFoundError(noun, id);
    case 'InvalidTextError':
      return new errors.InvalidTextError(field);
    case 'GranuleConflictError':
      return new errors.GranuleConflictError(conflicts, count);
    case 'UnavailableError':
      return new errors.UnavailableError(message);
    case 'DiskFullError':
      return new errors.DiskFullError(message);
    case 'TypeError':
      return new TypeError(message);
    case 'RangeError':
      return new RangeError(message);
    default:
      return new Error(message);
  }
}
