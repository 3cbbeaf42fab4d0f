import type { api, Sent } from '@kaptain/contract';
import type { StoredGranule } from '@kaptain/store';
import { PreparedJson } from '../../http/prepared-json.ts';

const ROWS_PER_PART = 500;

/** Serialises 500 rows at a time: 10,000 long keys make more than the 1 MiB that one string may have. */
export function upsertAnswer(
  stored: readonly StoredGranule[],
): PreparedJson<Sent<typeof api.dataApi.upsert>> {
  const parts = [Buffer.from(`{"upserted":${stored.length},"granules":[`)];
  for (let first = 0; first < stored.length; first += ROWS_PER_PART) {
    const rows = stored.slice(first, first + ROWS_PER_PART);
    const text = JSON.stringify(rows.map(({ id: _id, key, version }) => ({ _id, key, version })));
    parts.push(Buffer.from(`${first === 0 ? '' : ','}${text.slice(1, -1)}`));
  }
  return PreparedJson.ofBytes(Buffer.concat([...parts, Buffer.from(']}')]));
}
