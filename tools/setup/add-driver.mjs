/** `npm run add-driver <name>`: installs an optional database driver in its folder of `drivers`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installFromLock } from './install.mjs';
import { command, root, SetupError, say } from './project.mjs';

await command(async () => {
  const [name = ''] = process.argv.slice(2);
  const folder = join(root, 'drivers', name);
  if (!/^[a-z]+$/.test(name) || !existsSync(join(folder, 'package.json'))) {
    const names = readdirSync(join(root, 'drivers')).join(', ');
    throw new SetupError(`There is no driver "${name}". Choose one of: ${names}.`);
  }
  say(`Installing the driver for ${name} …`);
  await installFromLock(folder, 'service');
  say(`Installed. A running service finds it at the next connection.`);
  return 0;
});
