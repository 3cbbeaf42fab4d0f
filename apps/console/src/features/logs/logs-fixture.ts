import type { LogEntry, LogPage } from '@kaptain/contract/logs';

export const pageOf = (...data: LogEntry[]): LogPage => ({ data, total: data.length, totalIsExact: true });
