import { type AuditAction, type Kapsule, type KapsuleStructure, mayCreateKapsule } from '@kaptain/contract';
import type { Lock } from '@kaptain/contract/locks';
import { foldName, type KapsuleRecord, type Nouns, newId } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Caller, KnownCall } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { RecentProof } from '../../identity/second-factor/identity.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { prepareTable, requireLastingTable } from '../data-sources/source-tables.ts';
import { requireConnected } from '../granules/granules-of.ts';
import { requireOfKey } from '../granules/key-limits.ts';
import { requireSoundLocks } from '../locks/require-sound-locks.ts';
import { requireChoiceSources } from '../values/require-choice-sources.ts';
import { adoptionProof } from './adoption-proof.ts';
import { requireFreeName } from './free-name.ts';
import { targetOf } from './kapsule-access.ts';
import { requireRoom } from './kapsule-room.ts';
import { fieldText, requireSound } from './kapsule-structure.ts';
import { showKapsule } from './show-kapsule.ts';

export interface KapsulesDeps extends Databases {
  log: Log;
  clock: () => number;
  settings: Settings;
  recentProof: RecentProof;
}

/** Spec 6: isCreate controls the right to create a kapsule. */
export function requireCreator(caller: Caller): void {
  requireOfKey(caller, 'WRITE');
  // The detail tells a lost right from a table that this service did not make.
  if (!mayCreateKapsule(caller))
    throw new AppError('FORBIDDEN', 'You may not create new ones.', { details: { right: 'isCreate' } });
}

/** A structure; by the data API the app of the platform that loads the kapsule; by a .kap file its locks. */
type NewKapsule = KapsuleStructure & { appId?: string | undefined; locks?: Lock[] };

/** The service reloads that app with its own rights, so a USER must not choose it. */
function requireOwnApp({ appId }: NewKapsule, { role }: Caller): void {
  if (appId !== undefined && role !== 'ADMIN')
    throw new AppError('FORBIDDEN', 'Only an ADMIN may say which app belongs to it.');
}

/** A structure as an audit entry stores it. */
export const auditable = ({ fields, ...rest }: KapsuleStructure) => ({
  ...rest,
  fields: fields.map(fieldText),
});

export function createKapsule(deps: KapsulesDeps) {
  const { store, dataSources, clock, settings } = deps;
  const prove = adoptionProof(deps);

  async function insert(
    nouns: Nouns,
    structure: NewKapsule,
    action: AuditAction,
    call: KnownCall,
    asked: Caller,
  ): Promise<KapsuleRecord> {
    const caller = await presentCaller(nouns, call.caller);
    requireCreator(caller);
    // The table was prepared with the rights of this role.
    if (caller.role !== asked.role) throw new AppError('FORBIDDEN');
    await requireLastingTable(nouns, structure);
    requireOwnApp(structure, caller);
    await requireFreeName(nouns, structure.name, caller);
    await requireChoiceSources(nouns, structure.fields, [], caller);
    const at = new Date(clock()).toISOString();
    const record = await nouns.kapsules.insert({
      ...structure,
      nameKey: foldName(structure.name),
      appId: structure.appId ?? null,
      fields: structure.fields.map((field) => ({ _id: newId(), ...field })),
      owner: caller.username,
      ownerId: caller.userId,
      createdAt: at,
      updatedAt: at,
    });
    await requireRoom(nouns, settings.current().kapsuleLimits, caller, { kapsules: 0, bytes: 0 });
    await audit(nouns, call, clock(), { action, target: targetOf(record), after: auditable(structure) });
    return record;
  }

  return async (
    structure: NewKapsule,
    action: 'kapsule.create' | 'kapsule.import',
    call: KnownCall,
  ): Promise<Kapsule> => {
    requireSound(structure);
    requireSoundLocks(structure.locks, structure.fields);
    requireConnected(dataSources, structure.database);
    const caller = await presentCaller(store, call.caller);
    requireCreator(caller);
    await requireFreeName(store, structure.name, caller);
    await requireChoiceSources(store, structure.fields, [], caller);
    // Checked before a table is created; the unit of work checks the stored size again.
    const bytes = Buffer.byteLength(JSON.stringify(structure));
    await requireRoom(store, settings.current().kapsuleLimits, caller, { kapsules: 1, bytes });
    await prove(structure, caller);
    const { undo, ...table } = await prepareTable({ store, dataSources }, structure, caller);
    try {
      const record = await store.transaction((nouns) => insert(nouns, structure, action, call, caller));
      return showKapsule(record, ['READ', 'DELETE'], table);
    } catch (error) {
      await undo();
      throw error;
    }
  };
}
