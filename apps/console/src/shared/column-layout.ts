import type { ColumnType } from 'antd/es/table';

/** A column; its `key` is the `sort` parameter of the URL and the name under which the user's choice is stored. */
export type Column<Row> = ColumnType<Row> & {
  key: string;
  /** In pixels, the least that shows its usual content. */
  width: number;
  /** The share of the spare room that it takes. */
  grows?: number;
  /** Where there is no room, columns are left out in the order of this number, the highest first; absent: never. */
  leaveOut?: number;
  /** Names the row or acts on it: can't be hidden. */
  isFixed?: boolean;
  /** Shown only if chosen. */
  isExtra?: boolean;
};

/** The columns that the user shows or hides against the default. */
export type Choice = Readonly<Record<string, boolean>>;

interface ColumnLayout {
  /** The width of each shown column. */
  widths: ReadonlyMap<string, number>;
  /** The width of the table without spare room. */
  needed: number;
}

type Sized = Pick<Column<object>, 'key' | 'width' | 'grows' | 'leaveOut' | 'isFixed' | 'isExtra'>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The most a column takes on a phone before spare room is shared: one action, its title if it shows one, and a name. */
const phoneWidths = { action: 48, titledAction: 76, name: 140 };

/** A column on a phone: its actions are behind one button, and a name leaves room for the numbers beside it. */
export function forPhone<Row>(column: Column<Row>): Column<Row> {
  const { action, titledAction, name } = phoneWidths;
  const most = typeof column.title === 'string' ? titledAction : action;
  if (column.fixed === 'right') return { ...column, width: Math.min(column.width, most) };
  return column.grows === undefined ? column : { ...column, width: Math.min(column.width, name) };
}

/**
 * Decides which columns are shown and how wide they are, from the room alone: content never moves a column.
 * A column that the user has chosen is not left out; the table scrolls sideways instead.
 */
export function layOutColumns(
  columns: readonly Sized[],
  choice: Choice,
  { room, reserved = 0 }: { room: number; reserved?: number },
): ColumnLayout {
  const isChosen = ({ key, isFixed = false, isExtra = false }: Sized) => isFixed || (choice[key] ?? !isExtra);
  let shown = columns.filter(isChosen);
  const neededBy = (some: readonly Sized[]) => reserved + sum(some.map(({ width }) => width));
  const spareable = shown
    .filter(({ key, leaveOut }) => leaveOut !== undefined && choice[key] !== true)
    .toSorted((a, b) => (b.leaveOut ?? 0) - (a.leaveOut ?? 0));
  for (const column of spareable) {
    if (neededBy(shown) <= room) break;
    shown = shown.filter((one) => one !== column);
  }
  const needed = neededBy(shown);
  const spare = Number.isFinite(room) ? Math.max(0, room - needed) : 0;
  const shares = sum(shown.map(({ grows = 0 }) => grows));
  const widthOf = ({ width, grows = 0 }: Sized) =>
    width + (shares > 0 ? Math.floor((spare * grows) / shares) : 0);
  return { widths: new Map(shown.map((column) => [column.key, widthOf(column)])), needed };
}
