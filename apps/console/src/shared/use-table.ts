import { useLayoutEffect, useState } from 'react';
import { type Choice, type Column, forPhone, layOutColumns } from './column-layout.ts';
import { useScreenUser } from './session-storage.ts';
import { useRememberedChoice } from './use-remembered-choice.ts';

/** Both borders of the frame. */
const BORDERS = 2;
/** The column of the checkboxes, and that of the buttons that open a row. */
export const CONTROL_WIDTH = 44;

/** How the table fits: `narrow` and `phone` scroll sideways inside the frame. */
type Fit = 'wide' | 'narrow' | 'phone';
const PHONE = 640;

export interface TableLayout<Row> {
  columns: readonly Column<Row>[];
  widths: ReadonlyMap<string, number>;
  /** The width of the table without spare room. */
  needed: number;
  fit: Fit;
  /** The actions of a row are behind one button, so that their column can stay in sight. */
  isPhone: boolean;
  /** The element around the table, whose room is measured. */
  frame: HTMLElement | null;
  setFrame: (element: HTMLElement | null) => void;
  choice: Choice;
  choose: (key: string, isShown: boolean) => void;
}

/** The room of the last table: the next one starts with it instead of being rendered twice. */
let lastRoom = Number.POSITIVE_INFINITY;

/** Lays out a table; the choice of columns is kept per user and table in this browser. */
export function useTable<Row>(
  name: string,
  columns: readonly Column<Row>[],
  { controls = 0 }: { controls?: number } = {},
): TableLayout<Row> {
  const user = useScreenUser();
  const [choice, setChoice] = useRememberedChoice(`kaptain.table.${user?.userId ?? ''}.${name}`);
  const [room, setRoom] = useState(lastRoom);
  const [frame, setFrame] = useState<HTMLElement | null>(null);

  useLayoutEffect(() => {
    if (!frame) return;
    const measure = () => {
      // Without a layout, as in tests without a browser, the room is unknown.
      lastRoom = frame.clientWidth > 0 ? frame.clientWidth - BORDERS : Number.POSITIVE_INFINITY;
      setRoom(lastRoom);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);

  const isPhone = room < PHONE;
  const { widths, needed } = layOutColumns(isPhone ? columns.map(forPhone) : columns, choice, {
    room,
    reserved: controls * CONTROL_WIDTH,
  });
  const fit = needed <= room ? 'wide' : isPhone ? 'phone' : 'narrow';
  const choose = (key: string, isShown: boolean) => setChoice({ ...choice, [key]: isShown });
  return { columns, widths, needed, fit, isPhone, frame, setFrame, choice, choose };
}
