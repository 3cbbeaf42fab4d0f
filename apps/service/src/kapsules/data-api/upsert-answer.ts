import type { api, Sent } from '@kaptain/contract';
import type { StoredGranule } from '@kaptain/store';
import { PreparedJson } from '../../http/answers/prepared-json.ts';
import { ANSWER_PART_ROWS, WHOLE_ANSWER_ROWS } from '../tuning.ts';

const shown = ({ id: _id, key, version }: StoredGranule) => ({ _id, key, version });

/** Serialises 500 rows at a time: 10,000 long keys make more than the 1 MiB that one string may have. */
export function upsertAnswer(
  stored: readonly StoredGranule[],
  proposed?: readonly { _id: string; key: string }[],
): PreparedJson<Sent<typeof api.dataApi.upsert>> {
  if (stored.length <= WHOLE_ANSWER_ROWS && (proposed?.length ?? 0) <= WHOLE_ANSWER_ROWS)
    return PreparedJson.of({
      upserted: stored.length,
      granules: stored.map(shown),
      ...(proposed && { proposed: [...proposed] }),
    });
  const parts = [Buffer.from(`{"upserted":${stored.length},"granules":[`)];
  for (let first = 0; first < stored.length; first += ANSWER_PART_ROWS) {
    const rows = stored.slice(first, first + ANSWER_PART_ROWS);
    const text = JSON.stringify(rows.map(shown));
    parts.push(Buffer.from(`${first === 0 ? '' : ','}${text.slice(1, -1)}`));
  }
  const end = proposed ? `],"proposed":${JSON.stringify(proposed)}}` : ']}';
  return PreparedJson.ofBytes(Buffer.concat([...parts, Buffer.from(end)]));
}
