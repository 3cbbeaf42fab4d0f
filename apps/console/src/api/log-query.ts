import type { LogEntry, LogPage } from '@kaptain/contract/logs';
import type { JobStatus } from '@kaptain/contract/vocabulary';

export interface LogFilter {
  q: string;
  status?: JobStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
export interface ShownLogs extends LogPage {
  /** The service has neither pages nor our other extras. */
  isPlain: boolean;
}

export const isUnderWay = ({ status }: LogEntry): boolean => status === 'queued' || status === 'running';
