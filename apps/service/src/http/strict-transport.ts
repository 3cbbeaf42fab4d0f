import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptSettings } from '../config/settings.ts';

const DAY = 86_400;

/**
 * Tells browsers to stay with https, for a day while the settings are young and for a year then: a mistake must not
 * lock people out for long. It begins with a restart, as https does; switched off, it is taken back at once.
 */
export function strictTransport(settings: KeptSettings, clock: () => number) {
  const savedAt = Date.parse(settings.began.at);
  const isMeant = settings.began.settings.settings.hsts;
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isYoung = clock() - savedAt < DAY * 1000;
    const seconds = isMeant && settings.whole().settings.hsts ? (isYoung ? DAY : 365 * DAY) : 0;
    reply.header('strict-transport-security', `max-age=${seconds}`);
  };
}
