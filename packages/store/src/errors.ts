/** A document with this value of a unique field exists already. */
export class UniqueError extends Error {
  override name = 'UniqueError';
  readonly noun: string;
  readonly field: string;
  constructor(noun: string, field: string) {
    super(`A document of ${noun} with this ${field} exists already.`);
    this.noun = noun;
    this.field = field;
  }
}

/** Another writer changed the document after the caller read it. */
export class StaleVersionError extends Error {
  override name = 'StaleVersionError';
  readonly noun: string;
  readonly id: string;
  constructor(noun: string, id: string) {
    super(`The document ${id} of ${noun} has changed since it was read.`);
    this.noun = noun;
    this.id = id;
  }
}

export class NotFoundError extends Error {
  override name = 'NotFoundError';
  readonly noun: string;
  readonly id: string;
  constructor(noun: string, id: string) {
    super(`There is no document ${id} of ${noun}.`);
    this.noun = noun;
    this.id = id;
  }
}

/** The database can't be reached or can't be used; the message says what to do, without secrets. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** The disk of the database is full. */
export class DiskFullError extends Error {
  override name = 'DiskFullError';
}

/** A stored document does not hold what its noun says; all others are used on. */
export class DamagedDocumentError extends Error {
  override name = 'DamagedDocumentError';
  readonly noun: string;
  /** Undefined when the text of the document can't be read at all. */
  readonly id: string | undefined;
  constructor(noun: string, id?: string, field?: string) {
    super(
      id === undefined
        ? `A document of ${noun} can't be read; restore a backup.`
        : `The document ${id} of ${noun} is damaged: ${field} has no valid value; restore a backup, or correct it.`,
    );
    this.noun = noun;
    this.id = id;
  }
}

/** A key or author that not every database can hold: it has a NUL character or half of a surrogate pair. */
export class InvalidTextError extends Error {
  override name = 'InvalidTextError';
  readonly field: string;
  constructor(field: string) {
    super(`The ${field} contains a character that can't be stored.`);
    this.field = field;
  }
}

export {
  ConflictCollector,
  type GranuleConflict,
  GranuleConflictError,
  PageRoom,
} from '@kaptain/contract/granule-records';
