import { EditQueue } from '../model/edit-queue.ts';
import { KnownGranules, knownOf } from '../model/known-granules.ts';
import { Access } from './access.ts';
import { Sender } from './sender.ts';
import { ServiceClient, SignedOutError } from './service-client.ts';

/**
 * The token, the known granules and the edits of one kapsule. It outlives the tables that show it, so that a change of
 * the sheet neither signs the person out nor loses an edit.
 */
export class Workspace {
  readonly access: Access;
  readonly known = new KnownGranules();
  readonly queue = new EditQueue(this.known);
  readonly #client: ServiceClient;
  readonly #sender: Sender;
  readonly #listeners = new Set<() => void>();
  /** Why the service could not be asked, in words for the person; '' when it could. */
  problem = '';

  constructor(serviceUrl: string, kapsuleId: string) {
    this.access = new Access(serviceUrl, kapsuleId, () => this.#changed());
    this.#client = new ServiceClient({
      serviceUrl,
      kapsuleId,
      token: () => this.access.token,
      fetch: (...request) => fetch(...request),
    });
    this.#sender = new Sender({
      queue: this.queue,
      client: this.#client,
      author: () => this.access.author,
      changed: (outcome) => {
        this.problem = outcome === 'unavailable' ? 'The service does not answer. Your edits are kept.' : '';
        if (outcome === 'signedOut') this.access.forget();
        this.#changed();
      },
    });
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async signIn(): Promise<void> {
    try {
      await this.access.signIn();
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : 'The sign-in failed.';
    }
    this.#changed();
    await this.#sender.send();
  }

  /** Shows the edits at once and sends them. */
  save(): void {
    this.#changed();
    void this.#sender.send();
  }

  /** Looks these keys up; whether that was possible. */
  async lookUp(keys: readonly string[]): Promise<boolean> {
    try {
      const found = await this.#client.lookup(keys);
      for (const [place, key] of keys.entries()) this.queue.learn(key, knownOf(found[place] ?? null));
      this.problem = '';
      return true;
    } catch (error) {
      if (error instanceof SignedOutError) this.access.forget();
      else this.problem = error instanceof Error ? error.message : 'The service does not answer.';
      return false;
    } finally {
      this.#changed();
    }
  }
}

const workspaces = new Map<string, Workspace>();

/** Asks before the page is left while edits are not stored. */
function warnBeforeLoss(event: BeforeUnloadEvent): void {
  if ([...workspaces.values()].some(({ queue }) => !queue.isEmpty)) event.preventDefault();
}

export function workspaceOf(serviceUrl: string, kapsuleId: string): Workspace {
  const name = `${serviceUrl} ${kapsuleId}`;
  const known = workspaces.get(name);
  if (known) return known;
  if (workspaces.size === 0) addEventListener('beforeunload', warnBeforeLoss);
  const made = new Workspace(serviceUrl, kapsuleId);
  workspaces.set(name, made);
  return made;
}
