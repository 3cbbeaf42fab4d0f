import { registerHooks } from 'node:module';

/** Starts and stops the service, then prints the packages that this has loaded. */
const packages = new Set<string>();
registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name) packages.add(name);
    return next(url, context);
  },
});
const { start } = await import('../start.ts');
const service = await start(process.env);
await service.stop();
process.stdout.write(JSON.stringify([...packages]));
process.disconnect?.();
