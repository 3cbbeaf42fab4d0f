import { AppError } from '../../base/errors/app-error.ts';
import { RIGHTS_CHECK_MS } from '../tuning.ts';

interface RightsCheck {
  /** Throws when the caller may no longer have the answer. */
  check(): Promise<unknown>;
  everyMs?: number | undefined;
}

/** The long answers in progress; each is aborted when its caller loses the right to it. */
export class OpenAnswers {
  readonly #open = new Set<OpenAnswer>();
  #changes = 0;

  /**
   * Called after each request that may have revoked rights, before it is answered: no further chunk is sent
   * unchecked.
   */
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

/** The caller's rights to one long answer. */
export class OpenAnswer {
  readonly #rights: RightsCheck;
  readonly #changes: () => number;
  /** Called when the answer has ended. */
  readonly close: () => void;
  /** Aborts the answer. */
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
    return performance.now() - this.#checkedAt >= (this.#rights.everyMs ?? RIGHTS_CHECK_MS);
  }

  /** Whether no right has changed on this instance since the last check began. */
  get isCurrent(): boolean {
    return this.#seenChanges === this.#changes();
  }

  /**
   * Reads the rights again; when they are lost it aborts the answer and returns false. Calls during a check share the
   * next one, so that many changes cost each answer one check at a time.
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
