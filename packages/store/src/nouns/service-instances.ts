import { nullable, shape, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One running service on a shared database; the version counts its heartbeats. */
export interface ServiceInstanceRecord extends Stored {
  /** Made by the supervisor at its start; its workers have the same one after the other. */
  instance: string;
  /** Host and port. */
  name: string;
  /** The version of the service. */
  release: string;
  /** The generation of the settings that it runs with. */
  generation: number;
  /** The number of the last restart of all instances that it has done or tried. */
  restart: number;
  startedAt: string;
  /** The time of its last heartbeat, by its own clock. */
  seenAt: string;
  /** The generation with which it could not start, and why. */
  failure: { generation: number; reason: string; at: string } | null;
}

export const serviceInstances = noun<ServiceInstanceRecord>({
  name: 'serviceInstances',
  fields: {
    instance: text,
    name: text,
    release: text,
    generation: whole,
    restart: whole,
    startedAt: text,
    seenAt: text,
    failure: nullable(shape({ generation: whole, reason: text, at: text })),
  },
  unique: ['instance'],
  indexes: [],
});
