import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..');

/** Starts the real service as npm start does. */
export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(root, 'apps', 'service', 'src', 'main.ts')], {
    env: { ...process.env, ...env, KAPTAIN_DATA_DIR: dataDir, KAPTAIN_PORT: '0', KAPTAIN_HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const port = /localhost:(\d+)/.exec(line)?.[1];
  if (!port) throw new Error(`The service did not start: ${line}`);
  return { url: `http://127.0.0.1:${port}`, child };
}

export async function startBare(): Promise<{
  url: string;
  child: ChildProcess;
  prepare(path: string, text: string): Promise<void>;
}> {
  const child = fork(join(import.meta.dirname, 'server.ts'));
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    child,
    async prepare(path, text) {
      child.send({ path, text });
      await once(child, 'message');
    },
  };
}

export async function logIn(url: string, username: string, password: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const { accessToken } = (await response.json()) as { accessToken: string };
  return accessToken;
}

export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
