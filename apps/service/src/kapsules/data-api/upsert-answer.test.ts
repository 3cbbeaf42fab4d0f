import { limits } from '@kaptain/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { upsertAnswer } from './upsert-answer.ts';

const stored = (count: number, key: string) =>
  Array.from({ length: count }, (_, n) => ({
    id: `${'a'.repeat(24)}.${String(n).padStart(32, '0')}`,
    key: `${key}${n}`,
    version: n + 1,
  }));

describe('the answer of a save', () => {
  it.each([0, 1, 500, 501, 1200])('lists all %i granules in their order', (count) => {
    const rows = stored(count, 'key "quoted" ü ');
    expect(upsertAnswer(rows).toJSON()).toEqual({
      upserted: count,
      granules: rows.map(({ id, key, version }) => ({ _id: id, key, version })),
    });
  });

  it('of the longest keys that a body can have makes no string of more than 1 MiB', () => {
    const lengths: number[] = [];
    const real = JSON.stringify;
    const spy = vi.spyOn(JSON, 'stringify').mockImplementation(((value: unknown) => {
      const text = real(value);
      lengths.push(text.length);
      return text;
    }) as typeof JSON.stringify);
    onTestFinished(() => spy.mockRestore());
    const {
      pieces: [text],
    } = upsertAnswer(stored(limits.granulesPerUpsert, 'k'.repeat(80)));
    expect(text.length).toBeGreaterThan(1.5 * limits.jsonBytes);
    expect(Buffer.isBuffer(text)).toBe(true);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(limits.jsonBytes);
    // Each control character of a key takes six characters of JSON.
    upsertAnswer(stored(500, '\u0001'.repeat(250)));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(limits.jsonBytes);
  });
});
