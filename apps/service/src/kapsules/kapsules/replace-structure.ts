import { isDeepStrictEqual } from 'node:util';
import {
  DEFAULT_DATABASE,
  type Field,
  type KapFile,
  type Kapsule,
  type KapsuleStructure,
} from '@kaptain/contract';
import { fieldsOfKap, KAP_WITH_RULES } from '@kaptain/contract/kap-fields';
import type { Lock } from '@kaptain/contract/locks';
import { foldName, type KapsuleRecord, type Nouns, newId } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call, Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { requireMatch } from '../../http/server/require-match.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { requireApprovalFits } from '../approvals/require-approval-fits.ts';
import { completeTable } from '../data-sources/source-tables.ts';
import { requireOpener, requireSoundLocks } from '../locks/require-sound-locks.ts';
import { withLocksOfFile } from '../locks/travelling-locks.ts';
import { whileTableHeld } from '../locks/while-table-held.ts';
import { threadFieldsOf } from '../threads/stored-threads.ts';
import { withSeenSources, withStoredSources } from '../values/choice-sources.ts';
import { requireChoiceSources } from '../values/require-choice-sources.ts';
import { adoptionProof } from './adoption-proof.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { requireFreeName, requireVisibleName } from './free-name.ts';
import { changeable, targetOf } from './kapsule-access.ts';
import { requireRoomToGrow } from './kapsule-room.ts';
import { sourceState } from './kapsule-states.ts';
import {
  fieldText,
  requireDistinctFields,
  requireFewThreads,
  requireSoundRules,
} from './kapsule-structure.ts';
import { showKapsule } from './show-kapsule.ts';

/** The replaced parts of a kapsule; a .kap file changes neither the name nor the key field. */
type Shape = Pick<KapsuleStructure, 'table' | 'fields'> &
  Partial<Pick<KapsuleStructure, 'name' | 'keyField'>> & {
    /** Of the .kap file that the structure is from. */
    kapVersion?: KapFile['version'];
    /** Of a .kap file; without them the locks stay. */
    locks?: Lock[];
  };

/** The texts that the others lack. Compared one by one, long names of 1,000 fields would take a second. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const lacking = new Set(others);
  return texts.filter((text) => !lacking.has(text));
}

/** The removed and the added fields, not the whole structures. */
function difference(old: KapsuleRecord, now: KapsuleRecord) {
  const [before, after] = [old.fields.map(fieldText), now.fields.map(fieldText)];
  const texts = (['name', 'keyField', 'table'] as const).filter((part) => old[part] !== now[part]);
  const hasOtherLocks = !isDeepStrictEqual(old.locks ?? [], now.locks ?? []);
  const valuesIn = (record: KapsuleRecord) => ({
    ...Object.fromEntries(texts.map((part) => [part, record[part]])),
    ...(hasOtherLocks && { locks: record.locks ?? [] }),
  });
  return {
    before: { ...valuesIn(old), fields: without(before, after) },
    after: { ...valuesIn(now), fields: without(after, before) },
  };
}

/** In a data source the key field is the column by which rows are found. */
function requireSameKey({ database, keyField }: KapsuleRecord, shape: Shape): void {
  if (database !== DEFAULT_DATABASE && shape.keyField !== undefined && shape.keyField !== keyField)
    throw new AppError('CONFLICT', `The key field of a table on ${database} can’t be changed.`);
}

/**
 * The authors in a thread are certain only while no save can write it. A writer who could make its field a text and
 * then a thread again, or a value that they saved before, would write in the name of others.
 */
function requireSameThreads(before: KapsuleRecord, { fields }: Shape, { role }: Caller): void {
  const [old, now] = [threadFieldsOf(before), threadFieldsOf({ fields })];
  const isSame = old.length === now.length && without(old, now).length === 0;
  if (role === 'ADMIN' || isSame) return;
  throw new AppError(
    'FORBIDDEN',
    'Only an ADMIN may make a field a thread, or remove a thread or change its name or type.',
  );
}

/** The new name and key field, if there are any. */
async function renaming(nouns: Nouns, { id, name }: KapsuleRecord, shape: Shape, caller: Caller) {
  const { name: newName = name, keyField } = shape;
  requireVisibleName(newName);
  if (newName !== name) await requireFreeName(nouns, newName, caller, id);
  return { name: newName, nameKey: foldName(newName), ...(keyField !== undefined && { keyField }) };
}

/** A field that stays keeps its id. */
function withIds({ fields }: Shape, old: readonly Field[]): Field[] {
  const ids = new Map(old.map(({ name, _id }) => [name, _id]));
  return fields.map((field) => ({ ...field, _id: ids.get(field.name) ?? newId() }));
}

const locksAfter = ({ locks }: Shape, before: KapsuleRecord): Lock[] =>
  locks ? withLocksOfFile(before.locks ?? [], locks) : (before.locks ?? []);
const inTheWay = (message: string) =>
  new AppError('CONFLICT', `${message} Please change the approval first.`);

const bytesOf = (record: KapsuleRecord): number => Buffer.byteLength(JSON.stringify(record));

/** Spec 4: only the structure changes and no data is altered. */
export const replaceStructure =
  (deps: KapsulesDeps) =>
  async (
    id: string,
    given: Shape,
    action: 'kapsule.replace' | 'kapsule.update',
    call: Call<'loggedIn'>,
  ): Promise<Kapsule> => {
    const { store, dataSources, clock, settings } = deps;
    const allowed = () => settings.current().kapsuleLimits;
    requireDistinctFields(given.fields);
    const asked = await presentCaller(store, call.caller);
    const { kapsule: before } = await changeable(store, id, asked);
    // Checked before the customer's table is changed.
    requireMatch(call, before.version);
    const { kapVersion = KAP_WITH_RULES } = given;
    const sent = fieldsOfKap(kapVersion, given.fields, before.fields);
    const structure: Shape = { ...given, fields: withStoredSources(sent, before.fields) };
    requireSameKey(before, structure);
    requireSameThreads(before, structure, asked);
    requireApprovalFits(before.approval, structure.fields, inTheWay);
    requireSoundRules({ fields: withIds(structure, before.fields) });
    requireSoundLocks(locksAfter(structure, before), structure.fields);
    requireOpener(before, locksAfter(structure, before), asked);
    requireFewThreads(structure, before);
    await requireChoiceSources(store, structure.fields, before.fields, asked);
    await renaming(store, before, structure, asked);
    // Checked before the customer's table is changed; the unit of work checks the stored size again.
    const growth = bytesOf({ ...before, fields: withIds(structure, before.fields) }) - bytesOf(before);
    if (growth > 0) await requireRoomToGrow(store, allowed(), asked, before.ownerId, growth);
    const { database, tableName, keyField } = before;
    const columns = [keyField, ...before.fields.map(({ name }) => name)];
    await adoptionProof(deps)({ database, tableName, keyField, fields: structure.fields }, asked, columns);
    await completeTable(dataSources, before, structure.fields, asked);
    const change = async (nouns: Nouns) => {
      const caller = await presentCaller(nouns, call.caller);
      const { kapsule, authority } = await changeable(nouns, id, caller);
      // The columns were added with the rights of this role, for these fields.
      if (caller.role !== asked.role) throw new AppError('FORBIDDEN');
      if (kapsule.version !== before.version) throw new AppError('STALE');
      await requireChoiceSources(nouns, structure.fields, kapsule.fields, caller);
      const locks = locksAfter(structure, kapsule);
      requireOpener(kapsule, locks, caller);
      const record = await nouns.kapsules.patch(id, {
        ...(await renaming(nouns, kapsule, structure, caller)),
        table: structure.table,
        fields: withIds(structure, kapsule.fields),
        ...(structure.locks && { locks }),
        updatedAt: new Date(clock()).toISOString(),
      });
      if (bytesOf(record) > bytesOf(kapsule))
        await requireRoomToGrow(nouns, allowed(), caller, kapsule.ownerId);
      const changes = difference(kapsule, record);
      await audit(nouns, call, clock(), { action, target: targetOf(record), ...changes });
      return { record, authority };
    };
    const { record, authority } = await (structure.locks
      ? whileTableHeld(deps, before, change)
      : store.transaction(change));
    const shown = await withSeenSources(store, record, asked);
    return showKapsule(shown, authority, await sourceState({ store, dataSources }, record));
  };
