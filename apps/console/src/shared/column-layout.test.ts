import { expect, it } from 'vitest';
import { forPhone, layOutColumns } from './column-layout.ts';

const columns = [
  { key: 'name', width: 200, grows: 2, isFixed: true },
  { key: 'table', width: 100, grows: 1, leaveOut: 1 },
  { key: 'fields', width: 80, leaveOut: 2 },
  { key: 'note', width: 100, isExtra: true },
];
const shownIn = (room: number, choice = {}) => [...layOutColumns(columns, choice, { room }).widths.keys()];

it('shares the spare room among the columns that grow', () => {
  const { widths, needed } = layOutColumns(columns, {}, { room: 720, reserved: 40 });
  expect(needed).toBe(420);
  expect([...widths]).toEqual([
    ['name', 400],
    ['table', 200],
    ['fields', 80],
  ]);
});

it('leaves out the least important columns first, and only as many as necessary', () => {
  expect(shownIn(380)).toEqual(['name', 'table', 'fields']);
  expect(shownIn(379)).toEqual(['name', 'table']);
  expect(shownIn(299)).toEqual(['name']);
  expect(shownIn(10)).toEqual(['name']);
});

it('keeps a chosen column where there is no room, and hides a column that is not wanted', () => {
  expect(shownIn(10, { fields: true, note: true })).toEqual(['name', 'fields', 'note']);
  expect(shownIn(1000, { table: false, name: false })).toEqual(['name', 'fields']);
});

it('shows every column in its least width while the room is unknown', () => {
  expect(shownIn(Number.POSITIVE_INFINITY)).toEqual(['name', 'table', 'fields']);
  expect(layOutColumns(columns, {}, { room: Number.POSITIVE_INFINITY }).widths.get('name')).toBe(200);
});

it('gives the actions on a phone the room of one button, and a name no more than leaves room for the numbers beside it', () => {
  const columns = [
    { key: 'name', title: 'Name', width: 166, grows: 3 },
    { key: 'granules', title: 'Records', width: 116 },
    { key: 'action', title: 'Action', width: 112, fixed: 'right' as const },
    { key: 'actions', width: 112, fixed: 'right' as const },
  ];
  expect(columns.map((column) => forPhone(column).width)).toEqual([140, 116, 76, 48]);
});
