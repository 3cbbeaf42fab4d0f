import { setTimeout } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { type MongodbConfig, type MongodbServer, startOwnMongodb } from './mongodb.ts';
import { freePort } from './server-process.ts';

/*
 * A private replica set for tests: `const set = await startReplicaSet({ members: 3 })`, then `set.config`, which names all
 * members, and `set.stop()` at the end. Only a replica set has transactions; one member is enough for these.
 */

export interface ReplicaSet {
  /** Names all members; a client may begin with any of them. */
  readonly config: MongodbConfig;
  readonly members: readonly MongodbServer[];
  /** Waits for the member that is elected. */
  primary(): Promise<MongodbServer>;
  /** Waits until one member is the primary and all others are its secondaries. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

interface ReplicaSetOptions {
  members?: number;
  /** All members listen on 127.0.0.1, instead of one port on 127.0.0.1, 127.0.0.2, … (Linux only). */
  hasOwnPorts?: boolean;
}

interface Status {
  members: { name: string; stateStr: string; optimeDate: Date }[];
}

const NAME = 'kaptain';
const addressOf = ({ config }: MongodbServer) => `${config.host}:${config.port}`;

export async function startReplicaSet(options: ReplicaSetOptions = {}): Promise<ReplicaSet> {
  const { members: count = 1, hasOwnPorts = false } = options;
  const members: MongodbServer[] = [];
  const stop = async () => void (await Promise.all(members.map((member) => member.stop())));
  try {
    const port = await freePort();
    for (let n = 1; n <= count; n += 1) {
      const at = hasOwnPorts ? {} : { host: `127.0.0.${n}`, port };
      members.push(await startOwnMongodb({ ...at, replicaSet: NAME }));
    }
    await initiate(members);
    const set = replicaSetOf(members, hasOwnPorts, stop);
    await set.untilWhole();
    return set;
  } catch (error) {
    await stop();
    throw error;
  }
}

function replicaSetOf(
  members: readonly MongodbServer[],
  hasOwnPorts: boolean,
  stop: () => Promise<void>,
): ReplicaSet {
  const [{ config: first }] = members as [MongodbServer];
  const hosts = members.map((member) => (hasOwnPorts ? addressOf(member) : member.config.host));
  return {
    config: { ...first, host: hosts.join(',') },
    members,
    stop,
    async primary() {
      for (;;) {
        for (const member of members) if (await isPrimary(member)) return member;
        await setTimeout(50);
      }
    },
    async untilWhole() {
      while (!(await isWholeNow(members))) await setTimeout(50);
    },
  };
}

/** Elects within a second or two, not ten: the tests wait for many elections. */
async function initiate(members: readonly MongodbServer[]): Promise<void> {
  const config = {
    _id: NAME,
    members: members.map((member, n) => ({ _id: n, host: addressOf(member) })),
    settings: { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500, catchUpTimeoutMillis: 10_000 },
  };
  const [first] = members as [MongodbServer];
  await asked(first, (admin) => admin.command({ replSetInitiate: config }));
}

async function isPrimary(member: MongodbServer): Promise<boolean> {
  const hello = await asked(member, (admin) => admin.command({ hello: 1 })).catch(() => undefined);
  return hello?.['isWritablePrimary'] === true;
}

/** Whether the set is complete, as one of its members reports it. */
async function isWholeNow(members: readonly MongodbServer[]): Promise<boolean> {
  const [first] = members as [MongodbServer];
  const status = await asked(first, (admin) => admin.command({ replSetGetStatus: 1 })).catch(() => undefined);
  const states = (status as Status | undefined)?.members.map(({ stateStr }) => stateStr) ?? [];
  const secondaries = states.filter((state) => state === 'SECONDARY').length;
  return states.includes('PRIMARY') && secondaries === members.length - 1;
}

/** Asks this member alone, without looking for the rest of the set. */
async function asked<T>(member: MongodbServer, work: (admin: Db) => Promise<T>): Promise<T> {
  const settings = { directConnection: true, serverSelectionTimeoutMS: 1_000, connectTimeoutMS: 1_000 };
  const client = new MongoClient(`mongodb://${addressOf(member)}/`, settings);
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
