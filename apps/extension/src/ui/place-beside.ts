/** The room between what is placed and its cell. */
const GAP_PX = 4;

/** Below this height a text can't be read: it covers what is around its cell instead. */
const LEAST_PX = 64;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

interface Placed {
  x: number;
  y: number;
  /** Its content is scrolled beyond this. */
  most: number;
}

/**
 * Where a box goes that must not cover the rows below a cell: beside the cell, or above it where there is no room at its
 * sides. All numbers are relative to the frame.
 */
export function placeBeside(cell: Box, box: Size, frame: Size): Placed {
  const isRoomAt = (x: number) => x >= 0 && x + box.width <= frame.width;
  const side = [cell.right + GAP_PX, cell.left - GAP_PX - box.width].find(isRoomAt);
  const bottom = side === undefined ? cell.top - GAP_PX : cell.bottom;
  const most = Math.max(LEAST_PX, bottom);
  const x = side ?? Math.max(0, Math.min(cell.left, frame.width - box.width));
  return { x, y: Math.max(0, bottom - Math.min(box.height, most)), most };
}

/** Where a box goes in which the person decides about a cell: below it, or above it, or as near as there is room. */
export function placeAt(cell: Box, box: Size, frame: Size): Placed {
  const x = Math.max(0, Math.min(cell.left, frame.width - box.width));
  const isBelow = cell.bottom + GAP_PX + box.height <= frame.height;
  const above = Math.max(0, cell.top - GAP_PX - box.height);
  const isAbove = !isBelow && cell.top - GAP_PX - box.height >= 0;
  const nearest = Math.max(0, Math.min(cell.bottom + GAP_PX, frame.height - box.height));
  return { x, y: isAbove ? above : nearest, most: frame.height };
}

/** Moves an element of a frame by one of these rules; the style sheet reads the position. */
export function moveTo(box: HTMLElement, cell: HTMLElement, place: typeof placeBeside): void {
  const frame = box.parentElement?.getBoundingClientRect();
  if (!frame) return;
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  const { style } = box;
  style.setProperty('--most', `${frame.height}px`);
  const { x, y, most } = place(
    { left: left - frame.left, right: right - frame.left, top: top - frame.top, bottom: bottom - frame.top },
    { width: box.offsetWidth, height: box.offsetHeight },
    frame,
  );
  style.setProperty('--x', `${x}px`);
  style.setProperty('--y', `${y}px`);
  style.setProperty('--most', `${most}px`);
}
