import { type api, type Given, type Received, SettingsUpdate } from '@kaptain/contract';
import { UnavailableError } from '@kaptain/store';
import { checkPaths, type PathDeps } from '../../base/config/settings/check-paths.ts';
import type { SavedGeneration } from '../../base/config/settings/generation-file.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { withoutUntouched } from '../../base/config/settings/untouched-blocks.ts';
import { isBlock } from '../../base/config/settings/value-at.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import { check } from '../../http/server/validate.ts';
import type { ConnectionTesters } from '../checks/connection-testers.ts';
import { CONNECTION_TEST_MS } from '../tuning.ts';
import { checkComplete } from './complete.ts';
import { categoryOf, hints } from './failure-category.ts';
import { inTime } from './in-time.ts';
import { keepSecrets } from './keep-secrets.ts';

type TestCall = typeof api.settings.testConnection;
type Target = Given<TestCall>['body']['target'];
type Result = Received<TestCall>;

/** Only the blocks of the target: the rest of the form may be incomplete. */
function blocksOf(target: Target, settings: Record<string, unknown>): Record<string, unknown> {
  const { settings: system } = settings;
  const block = target === 'database' ? 'db' : target;
  if (target !== 'platform') return { settings: {}, [block]: settings[block] };
  const chosen = isBlock(system) ? system['qlikHost'] : undefined;
  const mode = typeof chosen === 'string' ? chosen : 'CERT';
  const hosts = isBlock(settings['hosts']) ? settings['hosts'] : {};
  return { settings: { ...(isBlock(system) && system), https: false }, hosts: { [mode]: hosts[mode] } };
}

const missing = (target: Target, settings: SettingsUpdate): boolean =>
  target === 'platform'
    ? settings.settings.qlikHost !== 'DESKTOP' && settings.hosts[settings.settings.qlikHost] === undefined
    : target !== 'database' && settings[target] === undefined;

function valuesOf(
  { target, settings: given }: Given<TestCall>['body'],
  before: SavedGeneration,
  deps: PathDeps,
): SettingsUpdate {
  const asked = withoutUntouched(check(SettingsUpdate, blocksOf(target, given)) as SettingsUpdate);
  if (missing(target, asked)) throw new AppError('BAD_INPUT', 'There is nothing entered to connect to yet.');
  try {
    const { settings } = keepSecrets({ settings: asked, files: before.files }, before);
    checkComplete(settings);
    checkPaths(settings, () => true, deps);
    return settings;
  } catch (error) {
    if (error instanceof Refusal)
      throw new AppError('BAD_INPUT', error.message, { details: { field: error.field } });
    throw error;
  }
}

/** Tries a connection with the values of the form; a masked secret means the stored one, for the same target only. */
export async function testConnection(
  asked: Given<TestCall>['body'],
  before: SavedGeneration,
  { testers, log, ...folders }: PathDeps & { testers: ConnectionTesters; log: Log },
): Promise<Result> {
  const { target } = asked;
  const values = valuesOf(asked, before, folders);
  const since = performance.now();
  try {
    await inTime(CONNECTION_TEST_MS, testers[target](values));
  } catch (error) {
    const category = categoryOf(error);
    log.warn({ target, category, err: error }, 'connection test failed');
    // Messages of drivers may contain hosts and users; those of our own packages are written for users.
    const isOurs = error instanceof UnavailableError || (error instanceof Error && 'category' in error);
    return { ok: false, category, message: isOurs ? error.message : hints[category], hint: hints[category] };
  }
  const latencyMs = Math.round(performance.now() - since);
  return { ok: true, latencyMs, message: `Connected in ${latencyMs} ms.` };
}
