import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatedApp } from '../platform-simulator/apps.ts';
import { startSimulator } from '../platform-simulator/simulator.ts';
import { reloadSeconds } from './durations.ts';
import { demoApps } from './kapsules.ts';
import { PLATFORM_FILE, SHEET_FILE } from './platform-file.mjs';
import { startDemoSheet } from './sheet.ts';

/** Runs the platform SIMULATOR for a demo, with one app per kapsule and a sheet, until SIGINT or SIGTERM. */
const folder = process.argv[2];
if (!folder) throw new Error('Usage: node tools/demo/platform.ts FOLDER');

const simulator = await startSimulator({
  // Its script logs are written where the demo's service reads them.
  folder,
  apps: demoApps.map(({ id, name, table }, index) =>
    simulatedApp(id, {
      name,
      tables: [table],
      reloadMs: reloadSeconds(index, 0) * 1000,
      behaviour: name.startsWith('Quality') ? 'fails' : 'succeeds',
    }),
  ),
});
const sheet = await startDemoSheet(folder, simulator.ports.desktop);
writeFileSync(join(folder, SHEET_FILE), sheet.origin);
const { settings, hosts } = simulator.settings('CERT');
const platform = { settings: { ...settings, corsAllowOrigins: [sheet.origin] }, hosts };
// Written under another name and renamed, so that a reader never sees a partial file.
writeFileSync(join(folder, `${PLATFORM_FILE}.new`), JSON.stringify(platform), { mode: 0o600 });
renameSync(join(folder, `${PLATFORM_FILE}.new`), join(folder, PLATFORM_FILE));

const stop = () => void Promise.all([simulator.close(), sheet.stop()]).then(() => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
