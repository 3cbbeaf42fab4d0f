import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';
import type { SavedRow } from './edited-row.ts';
import { type KnownGranules, noGranule } from './known-granules.ts';

/** How long a cell shows that it was stored just now. */
export const FRESH_MS = 3_000;

/** A cell of the kapsule, wherever its row is shown. */
export interface CellName {
  key: string;
  field: string;
}

const nameOf = ({ key, field }: CellName): string => JSON.stringify([key, field]);

/** The cells that a save has changed: their values differ from what was known before. */
export const changedCells = (rows: readonly SavedRow[], known: KnownGranules): CellName[] =>
  rows.flatMap(({ key, data }) => {
    const { data: before } = known.get(key) ?? noGranule;
    return [...new Set([...Object.keys(before), ...Object.keys(data)])]
      .filter((field) => !sameValue(ownValue(before, field), ownValue(data, field)))
      .map((field) => ({ key, field }));
  });

/** What the service has stored since the page was opened: the last cell with its time, and which cells just now. */
export class SavedCells {
  #fresh = new Map<string, number>();
  last: (CellName & { at: number }) | undefined;

  learn(cells: readonly CellName[], at: number): void {
    this.#fresh = new Map([...this.#fresh].filter(([, since]) => at - since < FRESH_MS));
    for (const cell of cells) {
      this.#fresh.set(nameOf(cell), at);
      this.last = { ...cell, at };
    }
  }

  isFresh(cell: CellName, now: number): boolean {
    return now - (this.#fresh.get(nameOf(cell)) ?? 0) < FRESH_MS;
  }
}
