import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { configOn, type PostgresConfig, PostgresProcess, postgresPrograms, prepare } from './postgres.ts';
import { accountFor, freePort, orRemove, removeFolder, run, temporaryFolder } from './server-process.ts';

/*
 * A primary PostgreSQL and its synchronous standby: `const pair = await startPostgresPair()`, then `pair.config`, whose
 * host is a list of both, and `pair.stop()` at the end. Commits that the primary acknowledges are on the standby's disk.
 */

export interface PostgresPair {
  readonly config: PostgresConfig;
  /** The current primary. */
  readonly primary: PostgresConfig;
  /**
   * Ends the primary as a crash (SIGKILL) or an immediate shutdown (SIGQUIT) does, or lets it hang like a machine that the
   * network has lost (SIGSTOP), and promotes the standby.
   */
  failOver(how: 'SIGKILL' | 'SIGQUIT' | 'SIGSTOP'): Promise<void>;
  /** Makes a new standby in place of the server that was ended, and waits until it is synchronous. */
  replaceStandby(): Promise<void>;
  /** Ends only the standby; commits then wait for a new one. */
  endStandby(): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  config: PostgresConfig;
  data: string;
  server: PostgresProcess;
}

/** One statement on the server, on a connection of its own. */
async function ask<Row extends object>(config: PostgresConfig, sql: string): Promise<Row[]> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const { postgres, initdb, basebackup } = postgresPrograms();
  const account = accountFor('postgres');
  const folder = temporaryFolder('postgres-pair', account);
  const memberOf = async (name: string): Promise<Member> => {
    const config = configOn(await freePort());
    const data = join(folder, name);
    return { config, data, server: new PostgresProcess(postgres, folder, data, config.port, account) };
  };
  let [primary, standby] = [await memberOf('one'), await memberOf('two')];
  const servers = [primary, standby];

  const copyPrimary = async () => {
    removeFolder(standby.data);
    const { host, port, user, password } = primary.config;
    const from = `host=${host} port=${port} user=${user} password=${password}`;
    await run(basebackup, ['-D', standby.data, '-d', from, '-R', '-c', 'fast', '--no-sync'], account);
    // A new primary has no standby at first and must not wait for one.
    const own = [`port = ${standby.config.port}`, "synchronous_standby_names = ''"];
    appendFileSync(join(standby.data, 'postgresql.auto.conf'), `${own.join('\n')}\n`);
  };

  async function replaceStandby(): Promise<void> {
    await standby.server.end('SIGKILL');
    await copyPrimary();
    await standby.server.start();
    // Earlier, commits of the primary would wait for the standby that is being made.
    await ask(primary.config, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await ask(primary.config, 'SELECT pg_reload_conf()');
    await until("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
  }

  /** Waits until the primary answers the query with a row. */
  async function until(sql: string): Promise<void> {
    for (
      const deadline = Date.now() + 30_000;
      (await ask(primary.config, sql)).length === 0;
      await setTimeout(25)
    )
      if (Date.now() > deadline)
        throw new Error(`The primary does not answer ${sql}:\n${standby.server.output}`);
  }

  await orRemove(folder, async () => {
    await prepare(initdb, primary.data, primary.config, { settings: { synchronous_commit: 'on' } }, account);
    await primary.server.start();
    await replaceStandby();
  });
  return {
    config: {
      ...primary.config,
      host: servers.map(({ config }) => `${config.host}:${config.port}`).join(','),
    },
    get primary() {
      return primary.config;
    },
    async failOver(how) {
      if (how === 'SIGSTOP') await primary.server.freeze();
      else await primary.server.end(how);
      await ask(standby.config, 'SELECT pg_promote(wait => true)');
      [primary, standby] = [standby, primary];
    },
    replaceStandby,
    async endStandby() {
      await standby.server.end('SIGKILL');
      // Its process that receives changes confirms some more before it ends.
      await until('SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_replication)');
    },
    async stop() {
      for (const { server } of servers) await server.end('SIGKILL');
      removeFolder(folder);
    },
  };
}
