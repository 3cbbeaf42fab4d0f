import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';
import { Lanes, Slots } from './slots.ts';

describe('passwords', () => {
  it('are hashed by argon2id at the decided cost', async () => {
    const hash = await createPasswords().hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(await createPasswords().verify(hash, 'correct horse')).toBe(true);
    expect(await createPasswords().verify(hash, 'wrong horse')).toBe(false);
  });

  it('never match without a hash', async () => {
    expect(await createPasswords({ memoryKiB: 64, rounds: 1 }).verify(undefined, '')).toBe(false);
  });

  it('know a hash of another cost', async () => {
    const [cheap, dear] = [
      createPasswords({ memoryKiB: 64, rounds: 1 }),
      createPasswords({ memoryKiB: 128, rounds: 1 }),
    ];
    const hash = await cheap.hash('correct horse');
    expect([cheap.isOutdated(hash), dear.isOutdated(hash)]).toEqual([false, true]);
    expect(await dear.verify(hash, 'correct horse')).toBe(true);
  });

  it('turn a flood away instead of piling it up', async () => {
    const passwords = createPasswords({ memoryKiB: 64, rounds: 1 });
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, () => passwords.hash('correct horse')),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    // 100 wait; one or two are at work, as many as the machine has cores to spare.
    expect([98, 99]).toContain(refused.length);
    expect(refused[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS' } });
  });
});

describe('taking turns', () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

  it('never runs more than its size at once, and goes on after a failure', async () => {
    const slots = new Slots(2);
    let [running, most, done] = [0, 0, 0];
    const work = async (index: number) => {
      running += 1;
      most = Math.max(most, running);
      await pause();
      running -= 1;
      if (index % 3 === 0) throw new Error('failed');
      done += 1;
    };
    await Promise.allSettled(Array.from({ length: 9 }, (_, index) => slots.run(() => work(index))));
    expect([most, done, running]).toEqual([2, 6, 0]);
  });

  it('keeps the order in each lane, and lanes apart', async () => {
    const lanes = new Lanes();
    const order: string[] = [];
    const work = (name: string) => async () => {
      await pause();
      order.push(name);
      if (name === 'a1') throw new Error('failed');
    };
    await Promise.allSettled([
      lanes.run('a', work('a1')),
      lanes.run('a', work('a2')),
      lanes.run('b', work('b1')),
    ]);
    expect(order.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(order.indexOf('b1')).toBeLessThan(2);
  });
});
