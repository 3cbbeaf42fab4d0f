import { AppError } from './app-error.ts';

/** How long an answer may go on before its caller's rights are read again: another instance may have changed them. */
const CHECK_EVERY_MS = 15_000;

export interface RightsCheck {
  /** Fails when the caller may no longer have the answer. */
  check(): Promise<unknown>;
  everyMs?: number | undefined;
}

/** All long answers under way, which end when their callers lose the right to them. */
export class OpenAnswers {
  readonly #open = new Set<OpenAnswer>();
  #changes = 0;

  /** Told after each call that may have taken rights away and before it is answered: from then on no chunk goes out unchecked. */
  rightsChanged(): void {
    this.#changes += 1;
    for (const answer of this.#open) void answer.confirm();
  }

  open(rights: RightsCheck): OpenAnswer {
    const answer = new OpenAnswer(
      rights,
      () => this.#changes,
      () => this.#open.delete(answer),
    );
    this.#open.add(answer);
    return answer;
  }
}

/** The rights to one long answer. */
export class OpenAnswer {
  readonly #rights: RightsCheck;
  readonly #changes: () => number;
  /** The answer is over. */
  readonly close: () => void;
  /** Ends the answer. */
  onLost: (error: AppError) => void = () => undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #seenChanges = -1;
  #checking: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;

  constructor(rights: RightsCheck, changes: () => number, close: () => void) {
    this.#rights = rights;
    this.#changes = changes;
    this.close = close;
  }

  get isDue(): boolean {
    return performance.now() - this.#checkedAt >= (this.#rights.everyMs ?? CHECK_EVERY_MS);
  }

  /** No right has changed on this instance since the last check began. */
  get isCurrent(): boolean {
    return this.#seenChanges === this.#changes();
  }

  /**
   * Reads the rights anew; without them it ends the answer and says false. Calls that come while a check is under way
   * share the next one, so that many changes at once cost each open answer one check at a time.
   */
  confirm(): Promise<boolean> {
    if (!this.#checking) return this.#begin();
    this.#next ??= this.#checking.then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<boolean> {
    this.#next = undefined;
    const checking = this.#check().finally(() => {
      if (this.#checking === checking) this.#checking = undefined;
    });
    this.#checking = checking;
    return checking;
  }

  async #check(): Promise<boolean> {
    const [changes, at] = [this.#changes(), performance.now()];
    try {
      await this.#rights.check();
    } catch (error) {
      this.onLost(error instanceof AppError ? error : new AppError('UNAVAILABLE'));
      return false;
    }
    this.#seenChanges = Math.max(this.#seenChanges, changes);
    this.#checkedAt = Math.max(this.#checkedAt, at);
    return true;
  }
}
