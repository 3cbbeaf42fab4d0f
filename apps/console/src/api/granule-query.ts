import type { GranulePage } from '@kaptain/contract/granules';

export interface GranuleFilter {
  q: string;
  reloaded?: boolean | undefined;
  /** Deleted granules instead of existing ones. */
  deleted: boolean;
}
export interface GranuleQuery extends GranuleFilter {
  /** `updatedAt` or `-updatedAt` */
  sort: string;
  page: number;
  size: number;
}
export interface ShownGranules extends GranulePage {
  totalIsExact: boolean;
  /** The service has neither pages nor our other extras. */
  isPlain: boolean;
}
