import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, type ServiceProcess, startProcess } from '../../apps/service/src/testing/service-process.ts';
import { temporaryFolder } from '../../apps/service/src/testing/temporary-folder.ts';

/** Memory, sockets and files of the processes; undefined where the system does not report them. */
export interface Held {
  sockets: number;
  descriptors: number;
  residentMB: number;
}

const isLinux = process.platform === 'linux';

function heldBy(pid: number): Held {
  const targets = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
    descriptors: targets.filter((target) => target !== '').length,
    residentMB: Number(resident ?? 0) / 1024,
  };
}

/** The service as `npm start` runs it, unless another script is given: supervisor and worker, in its own data folder. */
export class FuzzedService implements AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  /** A file in the data folder whose content no answer may contain. */
  readonly planted = 'canary-file-5d3f0c';
  readonly #process: ServiceProcess;
  readonly #removeFolder: () => void;

  private constructor(process: ServiceProcess, folder: string, port: number, removeFolder: () => void) {
    this.#process = process;
    this.folder = folder;
    this.port = port;
    this.#removeFolder = removeFolder;
    writeFileSync(join(folder, 'secret.txt'), this.planted);
    mkdirSync(join(folder, 'script-logs'), { recursive: true });
  }

  static async start(script = main): Promise<FuzzedService> {
    const folder = temporaryFolder();
    const running = startProcess({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_HOST: '127.0.0.1' }, script);
    await running.said(/http:\/\/localhost:\d+/);
    const port = Number(/http:\/\/localhost:(\d+)/.exec(running.output())?.[1]);
    return new FuzzedService(running, folder.path, port, () => folder[Symbol.dispose]());
  }

  /** Every worker prints one line when it is ready: more lines than one are restarts. */
  get restarts(): number {
    return this.#process.output().split('is ready on').length - 2;
  }

  /** The last part of what the processes printed. */
  get output(): string {
    return this.#process.output().slice(-4000);
  }

  /** Without a backup, which is kept for some minutes. */
  get temporaryFiles(): string[] {
    try {
      return readdirSync(join(this.folder, 'tmp')).filter((name) => !name.startsWith('backup-'));
    } catch {
      return [];
    }
  }

  /** Of supervisor and worker together. */
  held(): Held | undefined {
    const supervisor = this.#process.child.pid;
    if (!isLinux || supervisor === undefined) return undefined;
    const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8')
      .trim()
      .split(' ');
    const all = [supervisor, ...children.filter((pid) => pid !== '').map(Number)].map(heldBy);
    const sum = (key: keyof Held) => all.reduce((total, held) => total + held[key], 0);
    return { sockets: sum('sockets'), descriptors: sum('descriptors'), residentMB: sum('residentMB') };
  }

  /** The text of all its logs. */
  logs(): string {
    const folder = join(this.folder, 'logs');
    return readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  }

  async stop(): Promise<void> {
    this.#process.child.kill('SIGTERM');
    await this.#process.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#removeFolder();
  }
}
