import { join } from 'node:path';
import { startNode } from './children.mjs';
import { prepareWithConsole } from './prepare.mjs';
import { command } from './project.mjs';

await command(async () => {
  const node = await prepareWithConsole('service');
  const service = startNode(node, [join('apps', 'service', 'src', 'main.ts'), ...process.argv.slice(2)]);
  return service.ended;
});
