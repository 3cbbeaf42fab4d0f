import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('a semaphore', () => {
  it('gives out no more permits than its size, in the order asked, and goes on after a failure', async () => {
    const semaphore = new Semaphore(2);
    let [running, most] = [0, 0];
    const begun: number[] = [];
    const work = async (index: number) => {
      begun.push(index);
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      if (index % 3 === 0) throw new Error('failed');
    };
    const all = Array.from({ length: 9 }, (_, index) => semaphore.run(() => work(index)));
    expect([semaphore.held, semaphore.waiting]).toEqual([2, 7]);
    const results = await Promise.allSettled(all);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect([most, semaphore.held, semaphore.waiting]).toEqual([2, 0, 0]);
  });

  it('gives no permit to a caller that does not wait while others do', async () => {
    const semaphore = new Semaphore(1);
    expect([semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, false]);
    const waiting = semaphore.acquire();
    semaphore.release();
    expect(semaphore.tryAcquire()).toBe(false);
    await waiting;
    semaphore.release();
    expect(semaphore.tryAcquire()).toBe(true);
  });

  it('rejects those who wait, and keeps the permits of those who work', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const waiting = semaphore.acquire();
    semaphore.rejectWaiting(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    expect([semaphore.held, semaphore.waiting]).toEqual([1, 0]);
  });

  it('lets a caller that has gone leave the line, and gives its turn to the next', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const [client, served] = [new AbortController(), new AbortController()];
    const gone = semaphore.acquire(client.signal);
    const next = semaphore.acquire(served.signal);
    client.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(semaphore.acquire(client.signal)).rejects.toThrow('gone');
    expect([semaphore.held, semaphore.waiting]).toEqual([1, 1]);
    semaphore.release();
    await next;
    served.abort();
    expect([semaphore.held, semaphore.waiting]).toEqual([1, 0]);
    semaphore.release();
    expect(semaphore.held).toBe(0);
  });

  it('closes after the last permit has come back, and refuses new callers meanwhile', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    let isClosed = false;
    const closing = semaphore.close(new Error('closed')).then(() => (isClosed = true));
    await expect(semaphore.acquire()).rejects.toThrow('closed');
    expect([semaphore.tryAcquire(), isClosed]).toEqual([false, false]);
    semaphore.release();
    await closing;
    expect(isClosed).toBe(true);
  });
});
