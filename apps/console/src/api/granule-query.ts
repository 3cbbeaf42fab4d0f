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
  /** `updatedAt`, `-updatedAt` or `field:Amount` */
  sort: string;
  sortField?: SortField | undefined;
  page: number;
  size: number;
}
export interface ShownGranules extends GranulePage {
  totalIsExact: boolean;
  /** The service has neither pages nor our other extras. */
  isPlain: boolean;
}

const PARTIAL_MS = 3_000;

/** A partial page is read again after so many ms, because the service makes an index of the field; not of deleted granules. */
export const rereadAfter = (
  { deleted }: Pick<GranuleQuery, 'deleted'>,
  page: Pick<ShownGranules, 'isPartial'> | undefined,
): number | false => (page?.isPartial && !deleted ? PARTIAL_MS : false);
