import type { FieldCondition, SortField } from '@kaptain/contract/field-conditions';
import type { FieldFilter } from '@kaptain/contract/field-filters';
import type { GranulePage } from '@kaptain/contract/granules';

export interface GranuleFilter {
  q: string;
  reloaded?: boolean | undefined;
  /** Deleted granules instead of existing ones. */
  deleted: boolean;
  /** Conditions on fields, as they are sent … */
  where: FieldFilter[];
  /** … and with the types of the fields. */
  conditions: FieldCondition[];
}
export interface GranuleQuery extends GranuleFilter {
  /** A column or a field, for example `updatedAt`, `-updatedAt` (descending) or `field:Amount`. */
  sort: string;
  sortField?: SortField | undefined;
  page: number;
  size: number;
}
export interface ShownGranules extends GranulePage {
  totalIsExact: boolean;
  /** The service is another implementation, which answers with the whole list and lacks our additional calls. */
  isPlain: boolean;
}

const PARTIAL_MS = 3_000;
/** Three minutes: the indexes of a million granules take less. */
const MOST_READS = 60;

/** In how many ms a partial page that was read so often is read again: an index may complete it; deleted granules have none. */
export const rereadAfter = (
  { deleted }: Pick<GranuleQuery, 'deleted'>,
  page: Pick<ShownGranules, 'isPartial'> | undefined,
  reads: number,
): number | false => (page?.isPartial && !deleted && reads < MOST_READS ? PARTIAL_MS : false);
