import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

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

  it('recognise a hash of another cost', async () => {
    const [cheap, dear] = [
      createPasswords({ memoryKiB: 64, rounds: 1 }),
      createPasswords({ memoryKiB: 128, rounds: 1 }),
    ];
    const hash = await cheap.hash('correct horse');
    expect([cheap.isOutdated(hash), dear.isOutdated(hash)]).toEqual([false, true]);
    expect(await dear.verify(hash, 'correct horse')).toBe(true);
  });

  it('are refused in a flood, once 100 wait', async () => {
    const passwords = createPasswords({ memoryKiB: 64, rounds: 1 });
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, () => passwords.admit(() => passwords.hash('correct horse'))),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    // 100 wait; one or two are hashed, depending on the number of cores.
    expect([98, 99]).toContain(refused.length);
    expect(refused[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS' } });
  });
});
