import type { LogEntry } from '@kaptain/contract/logs';

/** A successful run with every value that a test does not set. */
export const sampleLog = (name: string, values: Partial<LogEntry> = {}): LogEntry => ({
  _id: `id-${name}`,
  name,
  type: 'normal',
  lastRunAt: '2026-03-04T05:06:07Z',
  lastFinishedAt: '2026-03-04T05:06:08.500Z',
  qlikUser: { userDirectory: 'CORP', userId: 'mara' },
  appId: 'a1',
  status: 'succeeded',
  ...values,
});
