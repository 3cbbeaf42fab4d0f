import { nameOf, settingsNotices } from '../../base/config/settings/notices.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import { type Check, ok, warning } from './check.ts';

interface Deps {
  settings: Pick<KeptSettings, 'generations' | 'began' | 'warnings'>;
  env: NodeJS.ProcessEnv;
  /** Why the last restart of the running service failed. */
  lastFailure?: { at: string; reason: string } | undefined;
}

/** Whether the saved settings are those that the running service uses. */
export const settingsCheck = ({ settings, env, lastFailure }: Deps): Check => ({
  name: 'Settings',
  async check() {
    const notices = settingsNotices(settings, env);
    const failed = `The last restart failed, so the settings before it are used: ${lastFailure?.reason}`;
    // A rollback has the same reason as the restart that caused it.
    const all = lastFailure && notices.length === 0 ? [failed] : notices;
    return all.length > 0 ? warning(all.join(' ')) : ok(`In use: ${nameOf(settings.began)}.`);
  },
});

/** For `doctor`, which sees only the files: the settings of the next start, and whether the service has run with them. */
export const savedSettingsCheck = ({ settings, env }: Omit<Deps, 'lastFailure'>): Check => ({
  name: 'Settings',
  async check() {
    const notices = settingsNotices(settings, env);
    if (notices.length > 0) return warning(notices.join(' '));
    const { generations, began } = settings;
    const mark = generations.mark(began.generation);
    const next = `The next start uses ${nameOf(began)}.`;
    if (began.generation === 0 || mark?.status === 'applied') return ok(next);
    return warning(
      mark
        ? `${next} The last start with it failed: ${mark.reason ?? 'the reason is not known'}`
        : `${next} The service has never started with it.`,
    );
  },
});
