import { type Shot, send } from './wire.ts';
import type { World } from './world.ts';

const refusals: ReadonlySet<number | undefined> = new Set([401, 403, 404]);

/** The shot with the token of the session that issued its ticket, because a ticket is valid once. */
function withoutTicket(shot: Shot, tokens: World['ticketTokens']): Shot {
  const text = shot.bytes.toString('latin1');
  const token = tokens.get(/[?&]ticket=([^&\s]+)/.exec(text)?.[1] ?? '');
  if (token === undefined) return shot;
  const headers = text.replace('\r\n', `\r\nauthorization: Bearer ${token}\r\n`);
  return { ...shot, bytes: Buffer.from(headers, 'latin1') };
}

/**
 * Sends a request again whose answer ended in the middle; returns whether it is refused now. The service ends an answer
 * when its caller loses the right to it, which other requests of the run may cause at any time.
 */
export async function isRefusedNow(
  world: Pick<World, 'source' | 'ticketTokens'> & { service: { port: number } },
  shot: Shot,
  limitMs: number,
): Promise<boolean> {
  const again = withoutTicket(shot, world.ticketTokens);
  const { reading } = await send(world.service.port, world.source(), again, limitMs);
  return refusals.has(reading.answers[0]?.status);
}
