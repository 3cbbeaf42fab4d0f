import { expect, it } from 'vitest';
import { ScanQueue } from './scan-queue.ts';

const present = new AbortController().signal;

/** Scans that end when they are told to, in the order in which they began. */
function heldScans() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const scan = (name: string) => () => {
    began.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { began, scan, endNext: () => ends.shift()?.() };
}

it('runs one scan per user and three of all users; the others wait', async () => {
  const queue = new ScanQueue();
  const { began, scan, endNext } = heldScans();
  const all = ['ann', 'ann', 'bob', 'cyd', 'dan'].map((user) => queue.run(user, present, scan(user)));
  await expect.poll(() => began).toEqual(['ann', 'bob', 'cyd']);
  endNext();
  await expect.poll(() => began).toEqual(['ann', 'bob', 'cyd', 'dan']);
  for (let count = 0; count < 2; count += 1) endNext();
  await expect.poll(() => began).toEqual(['ann', 'bob', 'cyd', 'dan', 'ann']);
  for (let count = 0; count < 2; count += 1) endNext();
  await Promise.all(all);
});

it('does not scan for a client that has gone while it waited', async () => {
  const queue = new ScanQueue();
  const { began, scan, endNext } = heldScans();
  const first = queue.run('ann', present, scan('first'));
  const client = new AbortController();
  const gone = queue.run('ann', client.signal, scan('gone'));
  gone.catch(() => undefined);
  const last = queue.run('ann', present, scan('last'));
  await expect.poll(() => began).toEqual(['first']);
  client.abort();
  await expect(gone).rejects.toThrow('The client has disconnected.');
  endNext();
  await first;
  await expect.poll(() => began).toEqual(['first', 'last']);
  endNext();
  await last;
});

it('refuses a user of whom ten are waiting, and no one else; those whose clients have gone do not count', async () => {
  const queue = new ScanQueue();
  const { began, scan, endNext } = heldScans();
  const client = new AbortController();
  const all = [queue.run('ann', present, scan('ann 0'))];
  const left = Array.from({ length: 10 }, () => queue.run('ann', client.signal, scan('gone')));
  client.abort();
  await Promise.allSettled(left);
  for (let index = 1; index <= 10; index += 1) all.push(queue.run('ann', present, scan(`ann ${index}`)));
  await expect(queue.run('ann', present, scan('too many'))).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  all.push(queue.run('bob', present, scan('bob')));
  await expect.poll(() => began).toEqual(['ann 0', 'bob']);
  for (let ended = 0; ended < all.length; ended += 1) {
    await expect.poll(() => began.length).toBeGreaterThan(ended);
    endNext();
  }
  await Promise.all(all);
});
