import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRun } from './leftovers.mjs';

const idle = ['-e', 'setInterval(() => undefined, 1000)'];

describe('a run of tests', () => {
  it('that left nothing behind has nothing to tell, and its folder is gone', async () => {
    const run = startRun();
    mkdirSync(join(run.env.TMPDIR, '.org.chromium.Chromium.1'));
    expect(await run.leftovers()).toEqual([]);
    expect(existsSync(run.env.TMPDIR)).toBe(false);
  });

  it('names and removes a folder that is left', async () => {
    const run = startRun();
    mkdirSync(join(run.env.TMPDIR, 'kaptain-postgres-1'));
    expect(await run.leftovers()).toEqual(['in the folder for temporary files: kaptain-postgres-1']);
    expect(existsSync(run.env.TMPDIR)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('names and ends a process that is left, and no other', async () => {
    const [run, other] = [startRun(), startRun()];
    const start = (env: object) =>
      spawn(process.execPath, idle, { env: { ...process.env, ...env }, stdio: 'ignore' });
    const [left, foreign] = [start(run.env), start(other.env)];
    await Promise.all([once(left, 'spawn'), once(foreign, 'spawn')]);
    const ended = once(left, 'exit');
    expect(await run.leftovers(0)).toEqual([expect.stringContaining(`process ${left.pid}: `)]);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(foreign.exitCode).toBeNull();
    foreign.kill('SIGKILL');
    await once(foreign, 'exit');
    expect(await other.leftovers()).toEqual([]);
  });
});
