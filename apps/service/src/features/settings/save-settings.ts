import type { AuditAction } from '@kaptain/contract';
import { Semaphore } from '@kaptain/store/semaphore';
import { changedFieldNames } from '../../config/settings/differences.ts';
import type { SavedGeneration, SavedState } from '../../config/settings/generation-file.ts';
import { normalised } from '../../config/settings/normalised.ts';
import { Refusal } from '../../config/settings/refusal.ts';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { audit } from '../../security/audit.ts';
import { requireStillAdmin } from '../../security/still-admin.ts';
import { checkComplete } from './complete.ts';
import { requireOwnFactor } from './keep-policy.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { trySettings } from './trial.ts';

type AdminCall = Call<'admin'>;

/** Makes the new settings from the stored ones. */
export type Proposal = (before: SavedGeneration) => SavedState | Promise<SavedState>;

export type SaveSettings = (action: AuditAction, propose: Proposal, call: AdminCall) => Promise<void>;

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

/** The only way to change settings: check, try, store, audit. */
export function settingsSaver(deps: SettingsDeps): SaveSettings {
  const { settings, store, certificates, clock } = deps;
  const { generations } = settings;
  // A mutex: each save is compared with the generation that the save before it has written.
  const mutex = new Semaphore(1);

  /**
   * Writes the file first and removes it when the audit entry can't be written. When the process dies in between, the
   * next start writes the missing entry, so that neither is lost.
   */
  async function auditSave(saved: SavedGeneration, call: AdminCall): Promise<void> {
    const target = { noun: 'settings', id: String(saved.generation), name: `Generation ${saved.generation}` };
    try {
      await store.transaction(async (nouns) => {
        await requireStillAdmin(nouns, call);
        const after = { changed: [...saved.changed] };
        await audit(nouns, call, clock(), { action: saved.by.action, target, after });
      });
    } catch (error) {
      generations.remove(saved.generation);
      throw error;
    }
  }

  function pruneFiles(): void {
    generations.prune(settings.began.generation);
    const kept = generations.numbers().map((number) => JSON.stringify(generations.read(number) ?? ''));
    certificates.prune((name) => kept.some((text) => text.includes(name)));
  }

  async function save(action: AuditAction, propose: Proposal, call: AdminCall): Promise<void> {
    const before = generations.newest();
    requireMatch(call, before.generation);
    const proposed = await propose(before);
    const next = { files: proposed.files, settings: normalised(proposed.settings) };
    const changed = changedFieldNames(before, next);
    if (changed.length === 0) return;
    checkComplete(next.settings);
    const { userId, username } = call.caller;
    requireOwnFactor(next.settings, before.settings, call.caller);
    await trySettings(next, before, userId, deps);
    const by = { action, userId, username, ip: call.ip, requestId: call.requestId };
    const saved = generations.add({ at: new Date(clock()).toISOString(), by, changed, ...next });
    if (!saved) throw new AppError('STALE');
    await auditSave(saved, call);
    settings.refresh();
    certificates.settle();
    pruneFiles();
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
