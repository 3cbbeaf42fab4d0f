import { newId } from '../../../ids.ts';
import { nowText } from '../../shared/clock.ts';
import type { Database } from '../database.ts';
import { type Counter, type Day, FOR_EVER, type State } from '../shapes.ts';
import { KEYS_PER_QUERY } from '../tuning.ts';

export const currentOf = (k: string, key: string) => `${k}/${key}`;

/** The part of a unit of work that the granules of a kapsule use. */
interface Unit {
  readonly database: Database;
  document<T extends { _id: string }>(collection: string, id: string): Promise<T | undefined>;
  put(collection: string, document: { _id: string }): void;
  onUndo(undo: () => void): void;
}

/** The granules of one kapsule in a unit of work: the states it has looked up and those it will write. */
export class PendingKapsule {
  readonly pending: Unit;
  readonly counter: Counter;
  /** By key, the latest state, living or deleted; undefined where there is none. */
  readonly states = new Map<string, State | undefined>();
  /** Hidden states of a running import whose keys this unit writes. */
  readonly hidden = new Map<string, State>();
  /** To be written … */
  readonly fresh = new Set<State>();
  /** … to be ended, by a change … */
  readonly ended = new Map<string, number>();
  /** … and to be handed back to the import that hid them. */
  readonly displaced = new Set<State>();
  readonly now = nowText();
  /** The last change that others can see. */
  readonly visible: number;
  #isNew: boolean;
  #changes = 0;
  isChanged: boolean;

  constructor(pending: Unit, counter: Counter, isNew: boolean) {
    this.pending = pending;
    this.counter = counter;
    this.visible = counter.lastChange;
    this.#isNew = isNew;
    this.isChanged = isNew;
  }

  static fresh(pending: Unit, kapsuleId: string): PendingKapsule {
    const numbers = { total: 0, reloaded: 0, deleted: 0, lastChange: 0, reloadedThrough: 0 };
    return new PendingKapsule(pending, { _id: kapsuleId, k: newId(), ...numbers }, true);
  }

  static async load(pending: Unit, kapsuleId: string): Promise<PendingKapsule | undefined> {
    const counter = await pending.document<Counter>('granule_counts', kapsuleId);
    return counter && new PendingKapsule(pending, { ...counter }, false);
  }

  /** Looks up the latest states of these keys. */
  async know(keys: Iterable<string>): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.states.has(key));
    for (let from = 0; from < missing.length; from += KEYS_PER_QUERY) {
      const some = missing.slice(from, from + KEYS_PER_QUERY);
      const names = some.map((key) => currentOf(this.counter.k, key));
      const found = this.#isNew
        ? []
        : await this.pending.database.states.find({ current: { $in: names } }).toArray();
      for (const key of some) this.states.set(key, undefined);
      for (const state of found) this.#remember(state);
    }
  }

  /** The same, together with the number of changes of this day. */
  async preload(keys: Iterable<string>): Promise<void> {
    await Promise.all([this.know(keys), this.pending.document<Day>('granule_days', this.#dayId)]);
  }

  get #dayId(): string {
    return `${this.counter.k}/${this.now.slice(0, 10)}`;
  }

  #remember(state: State): void {
    if (isHidden(state, this.counter)) this.hidden.set(state.key, state);
    else this.states.set(state.key, state);
  }

  /** Takes in states that were found by their ids. */
  meet(states: readonly State[]): void {
    for (const state of states) if (!this.states.has(state.key)) this.#remember(state);
  }

  /** One more change of this kapsule. */
  nextChange(): number {
    this.counter.lastChange += 1;
    return this.counter.lastChange;
  }

  /** A new latest state; what was there before ends with it. */
  replace(before: State | undefined, state: Omit<State, '_id' | 'k' | 'to' | 'current'>): void {
    const { k } = this.counter;
    if (before) this.#end(before, state.from);
    const hidden = this.hidden.get(state.key);
    const fresh: State = { ...state, _id: newId(), k, to: FOR_EVER, current: currentOf(k, state.key) };
    delete fresh.import;
    this.fresh.add(fresh);
    if (hidden) this.displaced.add(hidden);
    this.hidden.delete(state.key);
    this.states.set(state.key, fresh);
    this.pending.onUndo(() => {
      this.fresh.delete(fresh);
      this.states.set(state.key, before);
      if (!hidden) return;
      this.displaced.delete(hidden);
      this.hidden.set(state.key, hidden);
    });
  }

  /** Adds to the number of granules changed today. */
  count(changes: number): void {
    this.#changes += changes;
    this.isChanged = true;
  }

  /** Undoing goes back to the numbers of this moment. */
  keepNumbers(): void {
    const before = { ...this.counter };
    const [changes, isChanged] = [this.#changes, this.isChanged];
    this.pending.onUndo(() => {
      Object.assign(this.counter, before);
      this.#changes = changes;
      this.isChanged = isChanged;
    });
  }

  /** Forgets the states that were written ahead; they are looked up again on demand. */
  forgetWritten(): void {
    this.states.clear();
    this.hidden.clear();
    this.fresh.clear();
    this.ended.clear();
    this.displaced.clear();
    this.#isNew = false;
  }

  /** The counters become part of the unit's journal. */
  async save(): Promise<void> {
    if (!this.isChanged) return;
    this.pending.put('granule_counts', this.counter);
    if (this.#changes === 0) return;
    const day = this.now.slice(0, 10);
    const _id = this.#dayId;
    const storedDay = await this.pending.document<Day>('granule_days', _id);
    const changes = (storedDay?.changes ?? 0) + this.#changes;
    const counted: Day = { _id, k: this.counter.k, day, changes };
    this.pending.put('granule_days', counted);
  }

  #end(state: State, change: number): void {
    if (this.fresh.has(state)) {
      const { current, to } = state;
      state.to = change;
      delete state.current;
      this.pending.onUndo(() => Object.assign(state, { to, current }));
      return;
    }
    this.ended.set(state._id, change);
    this.pending.onUndo(() => this.ended.delete(state._id));
  }
}

/** Written by an import that is not published yet. */
export const isHidden = (state: State, { lastChange }: Counter) =>
  state.import !== undefined && state.from > lastChange;
