import type { SortField } from '@kaptain/contract/field-conditions';
import { type FieldIndex, isSameField, roomFor } from '../../shared/field-index.ts';
import type { Session } from '../session.ts';
import { findCounter } from './counters.ts';

const OF_KAPSULE = {
  name: 'field indexes',
  text: `SELECT number, field AS name, type, through, created_at AS "createdAt", used_at AS "usedAt"
    FROM kapsule_data.granule_field_indexes WHERE kapsule = $1`,
};

export const fieldIndexes = (session: Session, kapsule: number): Promise<FieldIndex[]> =>
  session.all<FieldIndex>(OF_KAPSULE, kapsule);

/** Notes the use of the fields; those without an index get one, which is filled step by step. */
export async function noteFields(
  session: Session,
  kapsuleId: string,
  fields: readonly SortField[],
): Promise<void> {
  const counter = await findCounter(session, kapsuleId);
  if (!counter) return;
  const now = Date.now();
  for (const field of fields) {
    const indexes = await fieldIndexes(session, counter.kapsule);
    const existing = indexes.find((index) => isSameField(index, field));
    if (existing) {
      await session.run(
        'UPDATE kapsule_data.granule_field_indexes SET used_at = $2 WHERE number = $1',
        existing.number,
        now,
      );
      continue;
    }
    const room = roomFor(indexes, now);
    if (!room) return;
    if (room.leaves !== undefined) await dropFieldIndex(session, room.leaves);
    await session.run(
      `INSERT INTO kapsule_data.granule_field_indexes (kapsule, field, type, through, created_at, used_at)
       VALUES ($1, $2, $3, 0, $4, $4) ON CONFLICT DO NOTHING`,
      counter.kapsule,
      field.name,
      field.type,
      now,
    );
  }
}

/** Its entries are removed later, step by step. */
export async function dropFieldIndex(session: Session, number: number): Promise<void> {
  await session.run(
    `WITH dropped AS (DELETE FROM kapsule_data.granule_field_indexes WHERE number = $1 RETURNING number)
     INSERT INTO kapsule_data.granule_field_drops SELECT number FROM dropped`,
    number,
  );
}
