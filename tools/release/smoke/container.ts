import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../../setup/children.mjs';
import type { Running } from './installation.ts';

interface Descriptor {
  digest: string;
}
interface ImageConfig {
  config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string };
}

async function must(program: string, ...args: string[]): Promise<string> {
  const { code, output } = await runQuietly(program, args);
  assert.equal(code, 0, `${program} ${args.join(' ')}: ${output}`);
  return output;
}

/** The file system and the configuration of an image: one archive with its layers, as `docker load` takes it. */
async function unpackImage(archive: string, folder: string): Promise<ImageConfig['config']> {
  const [image, rootfs] = [join(folder, 'image'), join(folder, 'rootfs')];
  for (const each of [image, rootfs]) mkdirSync(each);
  await must('tar', '-xf', archive, '-C', image);
  const json = (path: string): unknown => JSON.parse(readFileSync(join(image, path), 'utf8'));
  const blob = ({ digest }: Descriptor) => join('blobs', ...digest.split(':'));
  const [manifest] = (json('index.json') as { manifests: [Descriptor] }).manifests;
  const { config, layers } = json(blob(manifest)) as { config: Descriptor; layers: Descriptor[] };
  for (const layer of layers)
    await must('tar', '-xzf', join(image, blob(layer)), '-C', rootfs, '--numeric-owner');
  return (json(blob(config)) as ImageConfig).config;
}

/** An image that runs under runc as Docker runs it with `--read-only`: its own user, no rights, only /data is written to. */
export class Container {
  readonly #folder: string;
  readonly #image: ImageConfig['config'];
  readonly #name = `kaptain-smoke-${process.pid}`;

  private constructor(folder: string, image: ImageConfig['config']) {
    this.#folder = folder;
    this.#image = image;
  }

  static async of(archive: string, folder: string, port: number): Promise<Container> {
    const image = await unpackImage(archive, folder);
    const data = join(folder, 'data');
    const [uid = 0, gid = 0] = image.User.split(':').map(Number);
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, uid, gid);
    const runs = {
      ociVersion: '1.0.2',
      process: {
        user: { uid, gid },
        args: [...image.Entrypoint, ...image.Cmd],
        env: [...image.Env, `KAPTAIN_PORT=${port}`],
        cwd: image.WorkingDir,
        noNewPrivileges: true,
      },
      root: { path: 'rootfs', readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
        { destination: '/data', type: 'bind', source: data, options: ['bind', 'rw'] },
      ],
      // It shares the network of this computer, so that this script reaches its port.
      linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(runs));
    return new Container(folder, image);
  }

  get #runc(): string[] {
    return ['--root', join(this.#folder, 'runc')];
  }

  /** Runs one of its commands in the running container. */
  run(...args: string[]): Promise<string> {
    return must('runc', ...this.#runc, 'exec', this.#name, ...this.#image.Entrypoint, ...args);
  }

  async start(): Promise<Running> {
    const child = spawn('runc', [...this.#runc, 'run', '--bundle', this.#folder, this.#name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += String(chunk);
          const found = /ready on (http:\/\/localhost:\d+)/.exec(output)?.[1];
          if (found !== undefined) resolve(found);
        });
      child.once('error', reject);
      void ended.then(() => reject(new Error(`The container did not start: ${output}`)));
    });
    const stop = async () => {
      await must('runc', ...this.#runc, 'kill', this.#name, 'TERM');
      return ended;
    };
    return { url, stop };
  }

  /** Ends what a failed test left running. */
  async end(): Promise<void> {
    await runQuietly('runc', [...this.#runc, 'delete', '--force', this.#name]);
  }
}
