import type { CellState } from '../model/edited-row.ts';
import type { RowWindow } from '../model/row-window.ts';
import type { Column } from './columns.ts';
import { element } from './element.ts';
import type { Shown } from './grid-view.ts';

/** The texts of the rendered rows: a snapshot is shown later and without the service. */
export interface Snapshot {
  labels: string[];
  rows: { text: string; state: CellState }[][];
}

export const isSnapshot = (value: unknown): value is Snapshot => {
  const { labels, rows } = (value ?? {}) as Partial<Snapshot>;
  return Array.isArray(labels) && Array.isArray(rows);
};

export function takeSnapshot(
  columns: readonly Column[],
  { first, end }: RowWindow,
  cellAt: Shown['cellAt'],
): Snapshot {
  const rows = Array.from({ length: end - first }, (_, n) =>
    columns.map((column) => {
      const { text, state } = cellAt(first + n, column);
      return { text, state };
    }),
  );
  return { labels: columns.map(({ label }) => label), rows };
}

/** A snapshot in storytelling and in exports: read only, without controls. */
export function showSnapshot({ labels, rows }: Snapshot): HTMLElement {
  const cell = (text: string, role: string, state = 'saved') =>
    element('div', { class: 'cell', role, 'data-state': state }, text);
  const table = element(
    'div',
    { class: 'grid', role: 'table' },
    element(
      'div',
      { class: 'head', role: 'rowgroup' },
      element('div', { class: 'row', role: 'row' }, ...labels.map((label) => cell(label, 'columnheader'))),
    ),
    element(
      'div',
      { role: 'rowgroup' },
      ...rows.map((cells) =>
        element(
          'div',
          { class: 'row', role: 'row' },
          ...cells.map(({ text, state }) => cell(text, 'cell', state)),
        ),
      ),
    ),
  );
  table.style.setProperty('--columns', `repeat(${labels.length}, minmax(0, 1fr))`);
  return element('div', { class: 'table' }, table);
}
