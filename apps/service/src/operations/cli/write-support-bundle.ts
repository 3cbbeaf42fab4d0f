import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { readBootConfig } from '../../base/config/boot-config.ts';
import { openSettings } from '../../base/config/settings.ts';
import { databaseFile, databaseOf, openSealed } from '../../base/database/open-store.ts';
import { logFolderIn } from '../../base/logging/create-logs.ts';
import { version } from '../../base/version.ts';
import { supportBundle } from '../support/support-bundle.ts';
import { actor, host, type Result } from './commands.ts';
import { installationChecks } from './doctor.ts';

/** Writes the support bundle to a new file; works without a database too, because that may be the problem. */
export async function writeSupportBundle(env: NodeJS.ProcessEnv, file: string): Promise<Result> {
  const boot = readBootConfig(env);
  const { dataDir } = boot;
  if (!existsSync(dataDir))
    return { isDone: false, message: `There is no data folder ${dataDir}: set KAPTAIN_DATA_DIR.` };
  const settings = openSettings({ dataDir }).whole();
  const db = databaseOf(settings, env);
  const isThere = db !== undefined || existsSync(databaseFile(dataDir));
  const checks = await installationChecks(env, boot);
  let store: Store | undefined;
  try {
    store = isThere ? await openSealed(db, boot).catch(() => undefined) : undefined;
    const text = await supportBundle({
      ...boot,
      version,
      database: db?.KAPTAIN_DB ?? 'embedded',
      settings,
      store,
      checks,
      logFolder: logFolderIn(dataDir, settings.system.logPath),
      env,
      now: Date.now(),
    });
    // Never overwrites a file, and no other account may read it.
    await writeFile(resolve(file), text, { flag: 'wx', mode: 0o600 });
    await store?.transaction((nouns) => audit(nouns, host, Date.now(), { action: 'support.bundle', actor }));
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'EEXIST') return { isDone: false, message: `${file} exists already: choose another name.` };
    if (code === 'ENOENT' || code === 'EACCES')
      return { isDone: false, message: `${file} can not be written: choose another folder.` };
    throw failure;
  } finally {
    await store?.close();
  }
  return { isDone: true, message: `${file} was written. Read it before you send it.` };
}
