import type { LogPage } from '@kaptain/contract/logs';
import type { JobStatus } from '@kaptain/contract/vocabulary';

export interface LogFilter {
  q: string;
  status?: JobStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
export interface ShownLogs extends LogPage {
  /** The service knows no pages, and none of our other extras. */
  isPlain: boolean;
}
