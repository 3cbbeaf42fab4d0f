import { expect, it } from 'vitest';
import { placeAt, placeBeside } from './place-beside.ts';

const frame = { width: 1000, height: 600 };
const cellAt = (left: number, top: number) => ({ left, right: left + 100, top, bottom: top + 32 });

it('puts details beside their cell, and above it where there is no room, never over the rows below', () => {
  const box = { width: 320, height: 120 };
  expect(placeBeside(cellAt(200, 300), box, frame)).toEqual({ x: 304, y: 212, most: 332 });
  expect(placeBeside(cellAt(700, 300), box, frame)).toEqual({ x: 376, y: 212, most: 332 });
  const phone = { width: 390, height: 600 };
  expect(placeBeside(cellAt(200, 300), box, phone)).toEqual({ x: 70, y: 176, most: 296 });
});

it('lets details of the first rows scroll over the heading', () => {
  expect(placeBeside(cellAt(200, 64), { width: 320, height: 400 }, frame)).toEqual({
    x: 304,
    y: 0,
    most: 96,
  });
});

it('puts a decision below its cell, or above it, or as near as there is room', () => {
  const box = { width: 480, height: 200 };
  expect(placeAt(cellAt(200, 100), box, frame)).toMatchObject({ x: 200, y: 136 });
  expect(placeAt(cellAt(700, 500), box, frame)).toMatchObject({ x: 520, y: 296 });
  expect(placeAt(cellAt(0, 100), box, { width: 390, height: 250 })).toMatchObject({ x: 0, y: 50 });
});
