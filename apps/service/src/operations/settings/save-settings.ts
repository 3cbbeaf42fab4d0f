import type { AuditAction, SettingsUpdate } from '@kaptain/contract';
import type { Nouns } from '@kaptain/store';
import { Semaphore } from '@kaptain/store/semaphore';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { changedFieldNames } from '../../base/config/settings/differences.ts';
import type { SavedGeneration, SavedState } from '../../base/config/settings/generation-file.ts';
import { normalised } from '../../base/config/settings/normalised.ts';
import { pruneFiles } from '../../base/config/settings/prune-files.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { requireMatch } from '../../http/server/require-match.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import type { Shared } from '../instances/share-settings.ts';
import { checkComplete } from './complete.ts';
import { requireOwnFactor } from './keep-policy.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { trySettings } from './try-settings.ts';

type AdminCall = Call<'admin'>;

/** Makes the new settings from the stored ones. */
type Proposal = (before: SavedGeneration) => SavedState | Promise<SavedState>;

type SaveSettings = (action: AuditAction, propose: Proposal, call: AdminCall) => Promise<void>;

/** Converts a failure of the disk into an error of the contract. */
function diskError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('DISK_FULL');
  if (code === 'EIO' || code === 'EROFS' || code === 'EACCES')
    return new AppError(
      'UNAVAILABLE',
      'The settings could not be written to the disk. Nothing was changed.',
      {
        retryAfter: 5,
      },
    );
  return error;
}

const refused = (error: unknown): unknown =>
  error instanceof Refusal
    ? new AppError('BAD_INPUT', error.message, { details: { field: error.field } })
    : diskError(error);

/** The environment names the database, so the block of the save has no effect: that of this instance stays. */
function withDatabaseOf({ settings: { db } }: SavedState, given: SettingsUpdate): SettingsUpdate {
  const { db: _, ...settings } = given;
  return { ...settings, ...(db && { db }) };
}

/** The block is not shared: a change would leave the other instances on another database. */
async function requireAlone(shared: Shared | undefined): Promise<void> {
  const others = (await shared?.instances.others()) ?? 0;
  if (others === 0) return;
  throw new Refusal(
    'db.KAPTAIN_DB_HOST',
    'Other instances use this database, and each has its own database settings: stop the others first, or name the new database in the environment of each instance.',
  );
}

/** The only way to change settings: check, try, store, audit. */
export function saveSettings(deps: SettingsDeps): SaveSettings {
  const { settings, home, shared, certificates, clock } = deps;
  const { generations } = settings;
  // A mutex: each save is compared with the generation that the save before it has written.
  const mutex = new Semaphore(1);

  /** False after a rollback: only a save on top of the settings that were given up ends the warnings about them. */
  const isNewest = ({ generation }: SavedGeneration) => (generations.numbers()[0] ?? 0) <= generation;

  async function auditSave(nouns: Nouns, saved: SavedGeneration, call: AdminCall): Promise<void> {
    const target = { noun: 'settings', id: String(saved.generation), name: `Generation ${saved.generation}` };
    await requireStillAdmin(nouns, call);
    const after = { changed: [...saved.changed] };
    await audit(nouns, call, clock(), { action: saved.by.action, target, after });
  }

  async function save(action: AuditAction, propose: Proposal, call: AdminCall): Promise<void> {
    const before = await home.newest();
    requireMatch(call, before.generation);
    await home.fetchUploads();
    const { files, settings: proposed } = await propose(before);
    const next = {
      files,
      settings: normalised(shared?.isDatabaseFixed ? withDatabaseOf(before, proposed) : proposed),
    };
    const changed = changedFieldNames(before, next);
    if (changed.length === 0 && isNewest(before)) return;
    checkComplete(next.settings);
    const { userId, username } = call.caller;
    requireOwnFactor(next.settings, before.settings, call.caller);
    if (changed.some((field) => field.startsWith('db.'))) await requireAlone(shared);
    await trySettings(next, before, userId, deps);
    const by = { action, userId, username, ip: call.ip, requestId: call.requestId };
    const saved = await home.add(
      { at: new Date(clock()).toISOString(), by, changed, ...next },
      before,
      (unit, added) => auditSave(unit, added, call),
    );
    if (!saved) throw new AppError('STALE');
    settings.refresh();
    certificates.settle();
    pruneFiles(generations, certificates, settings.began.generation);
  }

  return (action, propose, call) =>
    mutex.run(async () => {
      try {
        await save(action, propose, call);
      } catch (error) {
        throw refused(error);
      }
    });
}
