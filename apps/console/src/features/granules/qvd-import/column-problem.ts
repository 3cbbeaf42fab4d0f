import type { Kapsule } from '@kaptain/contract/kapsules';
import { matchColumns } from '@kaptain/contract/qvd-columns';
import type { Role } from '@kaptain/contract/vocabulary';
import type { QvdPreview } from './preview-qvd.ts';

/** Why the service would refuse this file; undefined if its columns match. */
export function columnProblem(preview: QvdPreview, kapsule: Kapsule, role: Role): string | undefined {
  const { key, fields } = matchColumns(preview.columns, preview.tableName, kapsule, role);
  if (key === undefined) return `There is no column ${kapsule.keyField}, which is the key.`;
  if (fields.length > 0) return undefined;
  return `No column is named like a field. Expected: ${kapsule.fields.map(({ name }) => name).join(', ')}.`;
}
