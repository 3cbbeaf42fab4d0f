/** A browser shows no element of more pixels than this; Firefox has the lowest limit, near 17.8 million. */
const TALLEST = 15_000_000;

export interface View {
  scrollTop: number;
  height: number;
  rowHeight: number;
  rows: number;
}

export interface RowWindow {
  /** The first and, exclusively, the last row to render. */
  first: number;
  end: number;
  /** Where the first of them lies inside the scrolled area, in pixels. */
  top: number;
}

/** Rows rendered beyond both edges, so that a small scroll shows no gap. */
const BEYOND = 5;

/** The height of the scrolled area: of all rows, as far as a browser can show it. */
export const scrollHeight = ({ rows, rowHeight }: Pick<View, 'rows' | 'rowHeight'>): number =>
  Math.min(rows * rowHeight, TALLEST);

/** How many pixels of rows lie above the view; with more rows than a browser can scroll, each pixel stands for several. */
function hidden({ scrollTop, height, rowHeight, rows }: View): number {
  const shown = scrollHeight({ rows, rowHeight });
  const furthest = Math.max(1, shown - height);
  const top = Math.min(Math.max(0, scrollTop), Math.max(0, shown - height));
  return top * (Math.max(1, rows * rowHeight - height) / furthest);
}

/** The rows that a view shows. */
export function rowWindow(view: View): RowWindow {
  const { height, rowHeight, rows, scrollTop } = view;
  const above = hidden(view);
  const first = Math.max(0, Math.min(rows, Math.floor(above / rowHeight)) - BEYOND);
  const end = Math.min(rows, Math.ceil((above + height) / rowHeight) + BEYOND);
  const within = Math.min(Math.max(0, scrollTop), Math.max(0, scrollHeight(view) - height));
  return { first, end, top: within - (above - first * rowHeight) };
}

/** The scroll position that brings a row into view, the present one when it is there. */
export function scrollTopFor(row: number, view: View): number {
  const above = hidden(view);
  const [top, bottom] = [row * view.rowHeight, (row + 1) * view.rowHeight];
  if (top >= above && bottom <= above + view.height) return view.scrollTop;
  const wanted = top < above ? top : bottom - view.height;
  const whole = Math.max(1, view.rows * view.rowHeight - view.height);
  return (wanted * Math.max(0, scrollHeight(view) - view.height)) / whole;
}
