import { api, limits } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { delaysOf, median, othersBeside } from '../others-beside.ts';
import { heavyCalls } from './calls.ts';
import type { Client } from './client.ts';
import { lightCalls } from './light-calls.ts';
import { qvdOf, type Subject } from './requests.ts';
import { filledKapsule, type HeavyService, startHeavyService } from './service.ts';
import { type Shape, shapesOf } from './shapes.ts';

/** On a busy machine a delay can have another cause: only a call that delays others in every round fails. */
const ROUNDS = 3;
/** The idle time of a call on a fast machine. */
const IDLE_MS = 7;
/** A call shorter than so many idle calls freezes nothing: delays beside it have another cause, such as a save in one transaction. */
const SHORT = 60;
/** All calls on one shape in all rounds. */
const SHAPE_MS = 1_800_000;

type Delays = Map<string, string[]>;

let service: HeavyService;
beforeAll(async () => {
  service = await startHeavyService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** The delays of other calls beside each heavy call on a new kapsule, by the name of the heavy call; or beside those alone that are named. */
async function delaysOn(shape: Shape, round: number, named?: Delays): Promise<Delays> {
  const owner = await service.newOwner();
  const rows = Array.from({ length: shape.howMany }, (_, row) => ({ key: `K${row}`, data: shape.data(row) }));
  const id = await filledKapsule(owner, `${shape.name} ${round}`, shape.fields, rows);
  const qvd = qvdOf(shape, rows);
  const subject: Subject = { service, owner, id, shape, rows, qvd, ...(await saved(owner, id)) };
  const found: Delays = new Map();
  for (const { call, what, run } of heavyCalls) {
    const name = [call, what].join(' ');
    if (named && !named.has(name)) continue;
    const { other, idle } = service;
    const measured = await othersBeside({ other, idle, heavy: () => run(subject) });
    const delays = delaysOf(measured);
    const isShort = measured.heavyMs < SHORT * Math.max(median(idle), IDLE_MS);
    if (!isShort && delays.length > 0) found.set(name, delays);
  }
  return found;
}

/** The ids and the watermark for later calls, read after the rows are saved. */
async function saved(owner: Client, id: string): Promise<Pick<Subject, 'granuleIds' | 'watermark'>> {
  const path = `/api/kapsule/${id}/sql/read?format=ndjson`;
  const { text, headers } = await owner.call({ method: 'GET', path });
  const ids = [...text.matchAll(/^\{"_id":"([^"]+)"/gm)].map(([, granuleId]) => granuleId ?? '');
  return {
    granuleIds: ids.slice(0, limits.granuleIdsPerDelete),
    watermark: String(headers['x-kaptain-watermark']),
  };
}

describe('no call makes others wait', () => {
  it.each(shapesOf(isFullTest))(
    'on $name',
    async (shape) => {
      let delays = await delaysOn(shape, 1);
      for (let round = 2; round <= ROUNDS && delays.size > 0; round++) {
        const again = await delaysOn(shape, round, delays);
        delays = new Map([...delays].filter(([call]) => again.has(call)));
      }
      expect(Object.fromEntries(delays)).toEqual({});
    },
    SHAPE_MS,
  );

  it('of all calls: those that are not tried can’t grow', () => {
    const tried = new Set(heavyCalls.map(({ call }) => call));
    const missing = Object.entries(api).flatMap(([noun, calls]) =>
      Object.keys(calls)
        .map((name) => `${noun}.${name}`)
        .filter((name) => !tried.has(name) && !(name in lightCalls) && !(`${noun}.*` in lightCalls)),
    );
    expect(missing).toEqual([]);
  });
});
