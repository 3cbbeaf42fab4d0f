import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exampleApps, simulatedApp } from './apps.ts';
import type { Ports } from './settings-for.ts';
import { startSimulator } from './simulator.ts';

/** `npm run platform-sim`: the simulator on the platform's own ports, until Ctrl-C. */
const { values } = parseArgs({
  options: {
    /** A folder to keep; by default a temporary one, deleted at the end. */
    folder: { type: 'string' },
    /** Free ports instead of the standard ones. */
    free: { type: 'boolean', default: false },
    /** `id=name` of an app to simulate instead of the examples; repeatable. */
    app: { type: 'string', multiple: true, default: [] },
  },
});

const standardPorts: Ports = { engine: 4747, repository: 4242, proxy: 4080, tenant: 4443, desktop: 9076 };
const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), 'platform-simulator-'));
mkdirSync(folder, { recursive: true });
const named = values.app.map((text, index) => {
  const [id = '', name = id] = text.split('=');
  return simulatedApp(id, { name, reloadMs: 6000 + (index % 5) * 3000 });
});

const simulator = await startSimulator({
  folder,
  apps: named.length > 0 ? named : exampleApps(),
  ...(!values.free && { ports: standardPorts }),
}).catch((error: unknown) => {
  process.stderr.write(
    `The platform simulator could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});

// A parent process reads the connection settings from this file.
writeFileSync(join(folder, 'settings.json'), JSON.stringify(simulator.settings('CERT')), { mode: 0o600 });
const { ports } = simulator;
process.stdout.write(
  [
    'Platform SIMULATOR (no Qlik software, no real data):',
    `  CERT     engine localhost:${ports.engine}, repository localhost:${ports.repository}, certificates in ${simulator.certificateFolder}`,
    `  JWT      http://localhost:${ports.proxy}, prefix kaptain, key ${join(simulator.certificateFolder, 'jwt_key.pem')}`,
    `  SAAS     localhost:${ports.tenant}, API key ${simulator.settings('SAAS').hosts.SAAS?.apiKey}`,
    `  DESKTOP  localhost:${ports.desktop}`,
    `  Apps     ${[...simulator.apps.values()].map(({ name }) => name).join(', ')}`,
    'Platform simulator is ready; Ctrl-C stops it.',
    '',
  ].join('\n'),
);

let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  void simulator.close().then(() => {
    if (!values.folder) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
