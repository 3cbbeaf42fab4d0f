import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  accepts,
  canRun,
  findBinary,
  freePort,
  orRemove,
  removeFolder,
  ServerProcess,
  temporaryFolder,
} from './server-process.ts';

/*
 * A load balancer before instances of the service, configured by the samples of docs/guide/several-instances.md as they stand
 * there; only addresses, ports and certificates are replaced.
 */

export type BalancerKind = 'nginx' | 'HAProxy';

const programs = {
  nginx: findBinary(['nginx'], ['/usr/sbin']),
  HAProxy: findBinary(['haproxy'], ['/usr/sbin']),
};

export const hasBalancer = (kind: BalancerKind): boolean => canRun(kind, programs[kind]);

export interface Balancer {
  /** https, with a self-signed certificate. */
  url: string;
  readonly output: string;
  /** Takes an instance out, as the guide says, or puts it back. */
  setOut(index: number, isOut: boolean): Promise<void>;
  stop(): Promise<void>;
}

const guide = join(import.meta.dirname, '..', '..', 'docs', 'guide', 'several-instances.md');
const certificates = join(
  import.meta.dirname,
  '..',
  '..',
  'apps',
  'service',
  'src',
  'testing',
  'certificates',
);
const pem = (name: string) => readFileSync(join(certificates, name), 'utf8');

/** The code block below the heading of the guide. */
function sampleOf(kind: BalancerKind): string {
  const text = readFileSync(guide, 'utf8');
  const sample = new RegExp(`### ${kind}\n[^]*?\n\`\`\`\n([^]*?)\`\`\``).exec(text)?.[1];
  if (sample === undefined) throw new Error(`The guide has no sample for ${kind}.`);
  return sample;
}

/** The sample has two instances; further ones get a line like theirs. */
function withInstances(sample: string, ports: readonly number[]): string {
  const lines = sample.split('\n').flatMap((line) => {
    if (line.includes('10.0.0.12:8000')) return [];
    if (!line.includes('10.0.0.11:8000')) return [line];
    return ports.map((port, index) =>
      line
        .replace('10.0.0.11:8000', `127.0.0.1:${port}`)
        .replace('server a ', `server ${String.fromCharCode(97 + index)} `),
    );
  });
  return lines.join('\n');
}

async function startNginx(program: string, folder: string, ports: readonly number[], port: number) {
  writeFileSync(join(folder, 'kaptain.pem'), pem('server.pem'));
  writeFileSync(join(folder, 'kaptain.key'), pem('server_key.pem'), { mode: 0o600 });
  const out = new Set<number>();
  const write = () => {
    const sample = withInstances(sampleOf('nginx'), ports)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('/etc/nginx/', `${folder}/`);
    const server = [...out].reduce(
      (text, index) => text.replace(new RegExp(`(server 127.0.0.1:${ports[index]})[^;]*;`), '$1 down;'),
      sample,
    );
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${server}\n}\n`,
    );
  };
  write();
  const running = new ServerProcess(program, ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  return {
    running,
    async setOut(index: number, isOut: boolean) {
      if (isOut) out.add(index);
      else out.delete(index);
      write();
      // The signal of `nginx -s reload`.
      process.kill(running.pid, 'SIGHUP');
    },
  };
}

async function startHaproxy(program: string, folder: string, ports: readonly number[], port: number) {
  writeFileSync(join(folder, 'kaptain.pem'), pem('server.pem') + pem('server_key.pem'), { mode: 0o600 });
  const sample = withInstances(sampleOf('HAProxy'), ports)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replaceAll('/etc/haproxy/', `${folder}/`);
  const socket = join(folder, 'admin');
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, `global\n  stats socket ${socket} level admin\n\n${sample}`);
  const running = new ServerProcess(program, ['-f', file]);
  return {
    running,
    async setOut(index: number, isOut: boolean) {
      const state = isOut ? 'drain' : 'ready';
      const client = connect(socket);
      client.end(`set server instances/${String.fromCharCode(97 + index)} state ${state}\n`);
      await new Promise((resolve) => client.resume().once('close', resolve));
    },
  };
}

export async function startBalancer(kind: BalancerKind, ports: readonly number[]): Promise<Balancer> {
  const program = programs[kind];
  if (program === undefined) throw new Error(`${kind} is not installed on this machine.`);
  const folder = temporaryFolder(kind.toLowerCase());
  const port = await freePort();
  return orRemove(folder, async () => {
    const start = kind === 'nginx' ? startNginx : startHaproxy;
    const { running, ...rest } = await start(program, folder, ports, port);
    await running.untilReady(() => accepts(port));
    return {
      url: `https://localhost:${port}`,
      get output() {
        return running.output;
      },
      ...rest,
      async stop() {
        await running.end('SIGTERM');
        removeFolder(folder);
      },
    };
  });
}
