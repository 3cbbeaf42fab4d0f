import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that answers as long as it is told to. */
function aDatabase() {
  const database = { answers: true, asked: 0, silences: 0 };
  const breaker = new CircuitBreaker();
  const ask = async () => {
    database.asked += 1;
    if (!database.answers) await new Promise(() => undefined);
  };
  const askAgain = async () => {
    database.asked += 1;
    if (!database.answers) throw new Error('no answer');
  };
  return { database, breaker, ask, askAgain, onSilence: () => void (database.silences += 1) };
}

describe('the circuit breaker of a database', () => {
  it('lets a query take as long as it needs while the database answers, and sends no probe when no request waits', async () => {
    const { database, breaker, ask } = aDatabase();
    breaker.start(ask);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(database.asked).toBe(0);
    const cut = vi.fn<() => void>();
    breaker.beginWait(cut);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(cut).not.toHaveBeenCalled();
    breaker.endWait(cut);
    breaker.stop();
  });

  it('aborts waiting requests within 1.5 s of silence, refuses new ones, and admits all after an answer', async () => {
    const { database, breaker, askAgain, onSilence } = aDatabase();
    breaker.start(askAgain, onSilence);
    database.answers = false;
    const cut = vi.fn<() => void>(() => breaker.endWait(cut));
    breaker.beginWait(cut);
    breaker.requireClosed();
    await vi.advanceTimersByTimeAsync(1_500);
    expect([cut.mock.calls.length, database.silences]).toEqual([1, 1]);
    expect(() => breaker.requireClosed()).toThrow(UnavailableError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(() => breaker.requireClosed()).toThrow(UnavailableError);
    expect(database.silences).toBe(1);
    database.answers = true;
    await vi.advanceTimersByTimeAsync(500);
    breaker.requireClosed();
    breaker.stop();
  });

  it('counts any answer, also when its own probe hangs', async () => {
    const { database, breaker, ask } = aDatabase();
    breaker.start(ask);
    database.answers = false;
    const cut = vi.fn<() => void>();
    breaker.beginWait(cut);
    for (let n = 0; n < 20; n += 1) {
      await vi.advanceTimersByTimeAsync(900);
      breaker.recordAnswer();
    }
    expect(cut).not.toHaveBeenCalled();
    expect(database.asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(cut).toHaveBeenCalled();
    breaker.stop();
  });
});
