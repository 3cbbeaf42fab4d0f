import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptSettings } from '../../base/config/settings.ts';

const DAY = 86_400;

/**
 * Sends HSTS: for a day after the settings changed and for a year later, so that a mistake does not lock users out
 * for long. It starts with a restart, as https does; when it is switched off, max-age is 0 from the next answer on.
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
