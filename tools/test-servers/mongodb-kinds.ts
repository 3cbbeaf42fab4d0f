import { hasMongodb, hasOwnMongodb, type MongodbConfig, startMongodb } from './mongodb.ts';
import { startReplicaSet } from './replica-set.ts';

export interface AnyMongodb {
  config: MongodbConfig;
  stop(): Promise<void>;
}

interface ServerKind {
  name: string;
  start: () => Promise<AnyMongodb>;
}

/** The servers that a suite runs on: a single server has no transactions, a replica set of one has them. */
export const mongodbKinds = (): ServerKind[] => [
  ...(hasMongodb() ? [{ name: 'a single MongoDB', start: startMongodb }] : []),
  ...(hasOwnMongodb() ? [{ name: 'a MongoDB replica set', start: startReplicaSet }] : []),
];
