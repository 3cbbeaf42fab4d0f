import type { GranulePage } from '@kaptain/contract/granules';

export interface GranuleFilter {
  q: string;
  reloaded?: boolean | undefined;
  /** The deleted ones instead of the living. */
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
  /** The service knows no pages, and none of our other extras. */
  isPlain: boolean;
}
