import { UnavailableError } from '../../errors.ts';

const LOOK_MS = 250;
/** After so many looks without any answer the database is silent. */
const LOOKS = 4;

/**
 * Finds out that the database has gone silent, because it hangs or the network swallows everything: then nobody waits
 * for it longer than two seconds, however long a query may take that is being worked on. While somebody waits, the
 * database is asked a trifle. Silence is counted in looks, so a process that was stopped itself blames nobody.
 */
export class Pulse {
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #isAsking = false;
  #isSilent = false;

  /** Until then, and without it, nobody is cut off. `onSilence` gives up what has become unusable by it. */
  start(ask: () => Promise<unknown>, onSilence: () => void = () => undefined): void {
    this.#timer = setInterval(() => this.#look(ask, onSilence), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The database has answered, to whatever question. */
  heard(): void {
    this.#looks = 0;
    this.#isSilent = false;
  }

  requireAnswers(): void {
    if (this.#isSilent) throw silence();
  }

  /** Who waits for the database is cut off when it is silent, until `end` is called with the same function. */
  begin(cut: () => void): void {
    this.#waiting.add(cut);
  }

  end(cut: () => void): void {
    this.#waiting.delete(cut);
  }

  #look(ask: () => Promise<unknown>, onSilence: () => void): void {
    if (this.#waiting.size === 0 && !this.#isSilent) {
      this.#looks = 0;
      return;
    }
    if (this.#looks >= LOOKS && !this.#isSilent) {
      this.#isSilent = true;
      onSilence();
    }
    if (this.#isSilent) for (const cut of this.#waiting) cut();
    this.#looks += 1;
    if (!this.#isAsking) void this.#ask(ask);
  }

  async #ask(ask: () => Promise<unknown>): Promise<void> {
    this.#isAsking = true;
    try {
      await ask();
      this.heard();
    } catch {
      // The next look asks again.
    }
    this.#isAsking = false;
  }
}

export const silence = () =>
  new UnavailableError('The database does not answer; check that it runs and can be reached.');
