import { ApiError } from '@kaptain/contract/client';
import { dataApi } from '@kaptain/contract/data-api';
import { limits } from '@kaptain/contract/limits';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refusedValues } from '../shared/refused-values.ts';
import { useRefreshGranules } from './granules.ts';
import { lookUp, misfitsKey } from './misfits.ts';
import { service } from './service.ts';

const { dataApi: calls } = service({ dataApi });

/** A granule as the page shows it. */
export interface ShownRow {
  key: string;
  version: number;
}

interface Setting {
  rows: readonly ShownRow[];
  field: string;
  value: unknown;
}

/** What became of each row. */
export interface SetOutcome {
  saved: number;
  /** Changed or deleted by others after the page was read, and left as they are. */
  changed: number;
  /** Their data is too large to be read here. */
  tooLarge: number;
  refused: { row: ShownRow; message: string }[];
  /** They were sent, and the answer does not say whether they are stored. */
  unanswered: ShownRow[];
  notTried: ShownRow[];
  failure: unknown;
}

interface Change {
  row: ShownRow;
  granule: ShownRow & { data: Record<string, unknown> };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How much of a body the granules of one request fill at most. */
const BATCH_BYTES = limits.jsonBytes / 2;

/** Changes in batches that fit into one request each. */
function inBatches(all: readonly Change[]): Change[][] {
  const batches: Change[][] = [];
  let bytes = BATCH_BYTES;
  for (const one of all) {
    const size = new Blob([JSON.stringify(one.granule)]).size;
    if (bytes + size > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    bytes += size;
    batches.at(-1)?.push(one);
  }
  return batches;
}

/** The keys of the rows that a refused save has found changed. */
function conflictingKeys(error: unknown): unknown[] {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT' || !isRecord(error.details)) return [];
  const { conflicts } = error.details;
  return Array.isArray(conflicts) ? conflicts.filter(isRecord).map(({ key }) => key) : [];
}

/** A refused save stores nothing. */
const isAnswered = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Saves a batch without the rows that the service refuses; returns those that were left when it failed otherwise. */
async function saveBatch(id: string, batch: readonly Change[], outcome: SetOutcome): Promise<Change[]> {
  let rest = [...batch];
  while (rest.length > 0) {
    try {
      await calls.upsert({ params: { id }, body: { granules: rest.map(({ granule }) => granule) } });
      outcome.saved += rest.length;
      return [];
    } catch (error) {
      const changed = new Set(conflictingKeys(error));
      const refused = new Map(refusedValues(error).map(({ key, message }) => [key, message]));
      const others = rest.filter(({ row: { key } }) => !changed.has(key) && !refused.has(key));
      if (others.length === rest.length) {
        outcome.failure = error;
        return rest;
      }
      for (const { row } of rest) {
        const message = refused.get(row.key);
        if (message !== undefined) outcome.refused.push({ row, message });
        else if (changed.has(row.key)) outcome.changed += 1;
      }
      rest = others;
    }
  }
  return [];
}

async function setField(id: string, { rows, field, value }: Setting): Promise<SetOutcome> {
  const outcome: SetOutcome = {
    saved: 0,
    changed: 0,
    tooLarge: 0,
    refused: [],
    unanswered: [],
    notTried: [],
    failure: undefined,
  };
  const found = await lookUp(
    id,
    rows.map(({ key }) => key),
  );
  const byKey = new Map(found.map((granule) => [granule.key, granule]));
  const changes: Change[] = [];
  for (const row of rows) {
    const granule = byKey.get(row.key);
    if (granule?.version !== row.version) outcome.changed += 1;
    else if (granule.dataBytes !== undefined) outcome.tooLarge += 1;
    else
      changes.push({
        row,
        granule: { ...row, data: { ...(isRecord(granule.data) ? granule.data : {}), [field]: value } },
      });
  }
  for (const batch of inBatches(changes)) {
    const left = outcome.failure === undefined ? await saveBatch(id, batch, outcome) : batch;
    const isSent = left.length > 0 && left !== batch && !isAnswered(outcome.failure);
    (isSent ? outcome.unanswered : outcome.notTried).push(...left.map(({ row }) => row));
  }
  return outcome;
}

/** Gives one field of many granules the same value, in place of the versions that the page shows. */
export function useSetField(id: string) {
  const refresh = useRefreshGranules(id);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (setting: Setting) => setField(id, setting),
    onSettled: () => Promise.all([refresh(), queries.invalidateQueries({ queryKey: misfitsKey(id) })]),
  });
}
