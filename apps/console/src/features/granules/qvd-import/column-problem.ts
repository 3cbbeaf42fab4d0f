import type { Kapsule } from '@kaptain/contract/kapsules';
import { matchColumns } from '@kaptain/contract/qvd-columns';
import type { Role } from '@kaptain/contract/vocabulary';
import type { QvdPreview } from './preview-qvd.ts';
import type { Preview } from './use-previews.ts';

/** Why the service would refuse the columns of this file; undefined if they match. */
export function columnProblem(preview: QvdPreview, kapsule: Kapsule, role: Role): string | undefined {
  const { key, fields } = matchColumns(preview.columns, preview.tableName, kapsule, role);
  if (key === undefined) return `There is no column ${kapsule.keyField}, which is the key.`;
  if (fields.length > 0) return undefined;
  return `No column is named like a field. Expected: ${kapsule.fields.map(({ name }) => name).join(', ')}.`;
}

/** Whether it is known before the upload that the service would refuse this file. */
export const isRefused = (preview: Preview, kapsule: Kapsule, role: Role): boolean =>
  typeof preview === 'object' &&
  ('refusal' in preview || columnProblem(preview, kapsule, role) !== undefined);
