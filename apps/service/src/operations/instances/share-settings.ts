import { hostname } from 'node:os';
import type { Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { Rejected } from '../supervisor/messages.ts';
import { type Failure, Instances } from './instances.ts';
import type { Joined } from './join-shared.ts';
import { SharedHome } from './shared-home.ts';

interface Deps {
  store: Store;
  settings: KeptSettings;
  certificates: CertificateFiles;
  version: string;
  /** The environment names the database, so the block in the settings has no effect. */
  isDatabaseFixed: boolean;
  joined: Joined;
  restart: () => void;
  log: Log;
}

/** The settings and restarts that all instances on one database share. */
export interface Shared {
  home: SharedHome;
  instances: Instances;
  isDatabaseFixed: boolean;
  /** Called when this instance is ready; `rejected` are settings with which it could not start, newest first. */
  enter(port: number, rejected: readonly Rejected[]): Promise<Failure | undefined>;
  /** The new worker of this instance could not start. */
  restartFailed(rejected: Rejected | undefined, reason: string): Promise<void>;
}

export function shareSettings(deps: Deps): Shared {
  const { settings, log } = deps;
  const { key } = deps.joined;
  const home = new SharedHome({
    ...deps,
    key,
    generations: settings.generations,
    running: settings.began.generation,
  });
  const uptime = () => performance.now();
  const instances = new Instances({ ...deps, head: deps.joined.head, uptime, fetch: () => home.fetch() });
  let name = hostname();

  async function giveUp(rejected: Rejected): Promise<void> {
    const { generation, reason } = rejected;
    const target = { noun: 'settings', id: String(generation), name: `Generation ${generation}` };
    const noCaller = { caller: undefined, ip: '', requestId: '' };
    const isForAll = await home.reject(rejected, (unit) =>
      audit(unit, noCaller, Date.now(), {
        action: 'settings.rollBack',
        target,
        result: 'refused',
        actor: { id: null, username: 'service' },
        after: { reason, instance: name },
      }),
    );
    log.error({ generation, reason, isForAll }, 'settings rolled back');
  }

  const failureOf = ({ generation, reason }: Rejected): Failure => ({
    generation,
    reason,
    at: new Date().toISOString(),
  });

  return {
    home,
    instances,
    isDatabaseFixed: deps.isDatabaseFixed,
    async enter(port, rejected) {
      name = `${hostname()}:${port}`;
      const { generation } = settings.began;
      for (const each of rejected) await giveUp(each);
      if (generation > 0 && rejected.length === 0) await home.markApplied(generation);
      const [newest] = rejected;
      const failure = newest && failureOf(newest);
      await instances.enter(name, generation, failure ?? null);
      return failure;
    },
    async restartFailed(rejected, reason) {
      if (!rejected) log.error({ reason }, 'restart failed');
      try {
        if (rejected) await giveUp(rejected);
        const { generation } = rejected ?? settings.generations.newest();
        await instances.failed(failureOf({ generation, reason }), rejected === undefined);
      } catch (error) {
        // The database may be away too.
        log.error({ err: error }, 'could not store why the restart failed');
        instances.retryLater();
      }
    },
  };
}
