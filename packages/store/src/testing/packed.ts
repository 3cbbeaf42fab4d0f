import { searchText } from '../folding.ts';
import type { GranuleInput } from '../granules.ts';
import { type PackedRow, PackedRows, pack } from '../packed-rows.ts';

const packedRow = ({ key, user, data, createdAt, version }: GranuleInput): PackedRow => [
  key,
  user,
  JSON.stringify(data),
  createdAt ?? null,
  version ?? null,
  searchText(key, user, data),
];

/** As the reader of QVD files hands them over; not checked, so that a test can hand over a row that is refused. */
export function packed(...batches: Iterable<GranuleInput>[]): PackedRows {
  async function* all() {
    for (const rows of batches) yield pack([...rows].map(packedRow));
  }
  return new PackedRows(all());
}
