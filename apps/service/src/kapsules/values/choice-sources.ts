import type { Field, KapsuleStructure } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { isInReach } from '../granules/key-limits.ts';
import { type Readable, seen } from '../kapsules/kapsule-access.ts';

/** In place of the id of a kapsule that the caller may not read. */
const HIDDEN = '';

/** A kapsule without the ids of other ones from which its choices come, where the caller may not read these. */
export function withoutSources(kapsule: KapsuleRecord, isSeen: (id: string) => boolean): KapsuleRecord {
  const isHidden = ({ choicesFrom }: Field) => choicesFrom !== undefined && !isSeen(choicesFrom.kapsuleId);
  if (!kapsule.fields.some(isHidden)) return kapsule;
  const fields = kapsule.fields.map((field) =>
    field.choicesFrom && isHidden(field)
      ? { ...field, choicesFrom: { ...field.choicesFrom, kapsuleId: HIDDEN } }
      : field,
  );
  return { ...kapsule, fields };
}

/** The same, when it is not known yet which kapsules the caller may read. */
export async function withSeenSources(
  nouns: Readable,
  kapsule: KapsuleRecord,
  caller: Caller,
): Promise<KapsuleRecord> {
  const ids = new Set(kapsule.fields.flatMap(({ choicesFrom }) => choicesFrom?.kapsuleId ?? []));
  const seenIds = new Set<string>();
  for (const id of ids) if (isInReach(caller, id) && (await seen(nouns, id, caller))) seenIds.add(id);
  return withoutSources(kapsule, (id) => seenIds.has(id));
}

/** The fields of a caller to whom a source was not told, with the one that the field has. */
export const withStoredSources = <F extends KapsuleStructure['fields'][number]>(
  fields: readonly F[],
  before: readonly Field[],
): F[] =>
  fields.map((field) => {
    if (field.choicesFrom?.kapsuleId !== HIDDEN) return field;
    const stored = before.find(({ name }) => name === field.name)?.choicesFrom;
    return stored?.field === field.choicesFrom.field ? { ...field, choicesFrom: stored } : field;
  });
