import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { Pulse } from './circuit-breaker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that answers as long as it is told to. */
function aDatabase() {
  const database = { answers: true, asked: 0, silences: 0 };
  const pulse = new Pulse();
  const ask = async () => {
    database.asked += 1;
    if (!database.answers) await new Promise(() => undefined);
  };
  const askAgain = async () => {
    database.asked += 1;
    if (!database.answers) throw new Error('no answer');
  };
  return { database, pulse, ask, askAgain, onSilence: () => void (database.silences += 1) };
}

describe('the pulse of a database', () => {
  it('lets a query take as long as it needs while the database answers, and asks nothing when nobody waits', async () => {
    const { database, pulse, ask } = aDatabase();
    pulse.start(ask);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(database.asked).toBe(0);
    const cut = vi.fn<() => void>();
    pulse.begin(cut);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(cut).not.toHaveBeenCalled();
    pulse.end(cut);
    pulse.stop();
  });

  it('cuts off who waits within 1.5 s of silence, refuses who comes, and lets all in after an answer', async () => {
    const { database, pulse, askAgain, onSilence } = aDatabase();
    pulse.start(askAgain, onSilence);
    database.answers = false;
    const cut = vi.fn<() => void>(() => pulse.end(cut));
    pulse.begin(cut);
    pulse.requireAnswers();
    await vi.advanceTimersByTimeAsync(1_500);
    expect([cut.mock.calls.length, database.silences]).toEqual([1, 1]);
    expect(() => pulse.requireAnswers()).toThrow(UnavailableError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(() => pulse.requireAnswers()).toThrow(UnavailableError);
    expect(database.silences).toBe(1);
    database.answers = true;
    await vi.advanceTimersByTimeAsync(500);
    pulse.requireAnswers();
    pulse.stop();
  });

  it('takes any answer for a sign of life, whatever becomes of its own question', async () => {
    const { database, pulse, ask } = aDatabase();
    pulse.start(ask);
    database.answers = false;
    const cut = vi.fn<() => void>();
    pulse.begin(cut);
    for (let n = 0; n < 20; n += 1) {
      await vi.advanceTimersByTimeAsync(900);
      pulse.heard();
    }
    expect(cut).not.toHaveBeenCalled();
    expect(database.asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(cut).toHaveBeenCalled();
    pulse.stop();
  });
});
