import { existsSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before the service by each of its processes (NODE_OPTIONS). A process fails when the folder has a file `fail-<pid>`,
 * and leaves the packages that it has loaded in `packages-<pid>`.
 */
const folder = process.env['KAPTAIN_TEST_PROBE'];
if (folder !== undefined && isMainThread) {
  const packages = new Set<string>();
  registerHooks({
    load(url, context, next) {
      const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
      if (name) packages.add(name);
      return next(url, context);
    },
  });
  process.once('exit', () =>
    writeFileSync(join(folder, `packages-${process.pid}`), JSON.stringify([...packages])),
  );
  setInterval(() => {
    if (existsSync(join(folder, `fail-${process.pid}`))) throw new Error('boom');
  }, 20).unref();
}
