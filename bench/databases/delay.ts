import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy that adds a millisecond to every round trip: `delay.ts <port>` tells its parent its own port. Only the
 * answers are delayed, because a timer of Node can't wait for less than a millisecond.
 */
const DELAY_MS = 1;
const target = Number(process.argv[2]);

function pass(near: Socket, far: Socket): void {
  near.setNoDelay().pipe(far.setNoDelay());
  far.on('data', (chunk) => setTimeout(() => near.write(chunk), DELAY_MS));
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const)
    one.on('error', () => undefined).on('close', () => other.destroy());
}

const proxy = createServer((near) => pass(near, connect(target, '127.0.0.1'))).listen(0, '127.0.0.1');
await once(proxy, 'listening');
process.once('disconnect', () => process.exit());
process.send?.((proxy.address() as AddressInfo).port);
