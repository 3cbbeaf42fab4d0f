import type { Field, Kapsule, KapsuleStructure } from '@kaptain/contract';
import { newId } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { changeable, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { sourceState } from '../../kapsule-rules/kapsule-states.ts';
import { showKapsule } from '../../kapsule-rules/show-kapsule.ts';
import { completeTable } from '../../kapsule-rules/source-tables.ts';
import { audit } from '../../security/audit.ts';
import { presentCaller } from '../../security/present-caller.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { requireDistinctFields } from './kapsule-structure.ts';

type Shape = Pick<KapsuleStructure, 'table' | 'fields'>;

const named = (fields: KapsuleStructure['fields']) => fields.map(({ name, type }) => `${name} (${type})`);

/** The removed and the added fields, not the whole structures. */
function difference(old: Shape, now: Shape) {
  const [before, after] = [named(old.fields), named(now.fields)];
  const tables = old.table === now.table ? [{}, {}] : [{ table: old.table }, { table: now.table }];
  return {
    before: { ...tables[0], fields: before.filter((field) => !after.includes(field)) },
    after: { ...tables[1], fields: after.filter((field) => !before.includes(field)) },
  };
}

/** A field that stays keeps its id. */
const withIds = (fields: KapsuleStructure['fields'], old: readonly Field[]): Field[] =>
  fields.map(({ name, type }) => ({
    _id: old.find((field) => field.name === name)?._id ?? newId(),
    name,
    type,
  }));

/** Spec 4: only the structure changes and no data is altered. */
export const structureReplacement =
  ({ store, dataSources, clock }: KapsulesDeps) =>
  async (id: string, structure: KapsuleStructure, call: Call<'loggedIn'>): Promise<Kapsule> => {
    requireDistinctFields(structure.fields);
    const asked = await presentCaller(store, call.caller);
    const { kapsule: before } = await changeable(store, id, asked);
    // Checked before the customer's table is changed.
    requireMatch(call, before.version);
    await completeTable(dataSources, before, structure.fields, asked);
    const { record, authority } = await store.transaction(async (nouns) => {
      const caller = await presentCaller(nouns, call.caller);
      const { kapsule, authority } = await changeable(nouns, id, caller);
      // The columns were added with the rights of this role, for these fields.
      if (caller.role !== asked.role) throw new AppError('FORBIDDEN');
      if (kapsule.version !== before.version) throw new AppError('STALE');
      const change = { table: structure.table, fields: withIds(structure.fields, kapsule.fields) };
      const record = await nouns.kapsules.patch(id, {
        ...change,
        updatedAt: new Date(clock()).toISOString(),
      });
      const changes = difference(kapsule, record);
      await audit(nouns, call, clock(), { action: 'kapsule.replace', target: targetOf(record), ...changes });
      return { record, authority };
    });
    return showKapsule(record, authority, await sourceState({ store, dataSources }, record));
  };
