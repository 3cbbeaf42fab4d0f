import { z } from 'zod';
import { json, route, text } from './kit/route.ts';

/** About the running service itself. */
export const about = {
  version: route({
    method: 'GET',
    path: '/app/version',
    access: 'everyone',
    summary: 'The version of the service.',
    answer: text,
  }),
  alive: route({
    method: 'GET',
    path: '/healthz',
    access: 'everyone',
    summary: 'The process is alive. Costs nothing and asks no one.',
    extra: true,
    answer: json(z.object({ status: z.literal('alive') })),
  }),
  ready: route({
    method: 'GET',
    path: '/readyz',
    access: 'everyone',
    summary: 'The service can do its work: its database answers.',
    extra: true,
    answer: json(z.object({ status: z.literal('ready') })),
  }),
};

export const Variant = z.enum(['default', 'alternative']);
export type Variant = z.infer<typeof Variant>;

/** `config.json` beside the console's index.html: served by the service, or a plain file elsewhere. */
export const ConsoleConfig = z.object({
  /** The words and colours of the console. */
  variant: Variant.default('default'),
  /** Origin of the service when the console is hosted elsewhere; empty for the same origin. */
  serviceUrl: z.string().default(''),
});
export type ConsoleConfig = z.infer<typeof ConsoleConfig>;
