import { z } from 'zod';
import { timestamp } from '../kit/text.ts';

/** An instance of the service on a shared database. */
export const ServiceInstance = z.looseObject({
  /** Host and port. */
  name: z.string(),
  version: z.string(),
  /** The generation of the settings that it runs with. */
  generation: z.number(),
  since: timestamp,
  seenAt: timestamp,
  /** Whether it sends heartbeats. */
  isLive: z.boolean(),
  /** Whether it is the instance that answers. */
  isThis: z.boolean(),
  /** Whether it has still to restart for the last restart of all; an older service does not say it. */
  isRestartDue: z.boolean().optional(),
  /** The generation with which it could not start, and why. */
  failure: z.object({ generation: z.number(), reason: z.string(), at: timestamp }).nullable(),
});
export type ServiceInstance = z.infer<typeof ServiceInstance>;
