import { NotFoundError, StaleVersionError } from '../../errors.ts';
import { isId, newId } from '../../ids.ts';
import type { Stored } from '../../nouns/noun.ts';

type Fields = Record<string, unknown>;

/** The document that an insert stores: version 1, or the one after a given version, with the given id or a new one. */
export function firstVersion(given: Fields & { id?: string }, after = 0): Fields & Stored {
  const { id = newId(), version: _, ...rest } = given;
  if (!isId(id)) throw new TypeError(`${id} is no id: 24 hex digits are expected.`);
  return { id, version: after + 1, ...rest };
}

/** The document that a patch stores. Throws when there is none, or when `version` is given and not the stored one. */
export function nextVersion(
  noun: string,
  id: string,
  stored: Stored | undefined,
  change: Fields,
  version: number | undefined,
): Fields & Stored {
  if (!stored) throw new NotFoundError(noun, id);
  if (version !== undefined && version !== stored.version) throw new StaleVersionError(noun, id);
  return { ...stored, ...change, id, version: stored.version + 1 };
}
