/** `npm run dev`: restarts the service and reloads the browser whenever a source file is saved. */
import { join } from 'node:path';
import { startNode } from './children.mjs';
import { prepare } from './prepare.mjs';
import { command, root, say } from './project.mjs';

await command(async () => {
  const node = await prepare('service');
  const { KAPTAIN_PORT = '8000', KAPTAIN_SERVICE_URL = `http://127.0.0.1:${KAPTAIN_PORT}` } = process.env;
  const service = startNode(node, [
    '--watch',
    '--watch-preserve-output',
    join('apps', 'service', 'src', 'main.ts'),
  ]);
  const vite = startNode(
    node,
    [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--port', '5173', '--strictPort'],
    { cwd: join(root, 'apps', 'console'), env: { KAPTAIN_SERVICE_URL } },
  );
  const both = [service, vite];
  say('Work on http://localhost:5173; Ctrl-C stops service and console.');
  const code = await Promise.race(both.map(({ ended }) => ended));
  for (const { child } of both) child.kill();
  await Promise.all(both.map(({ ended }) => ended));
  return code;
});
