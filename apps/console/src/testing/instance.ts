import type { ServiceInstance } from '@kaptain/contract/service-instance';

/** An instance that runs without a problem. */
export const instance = (name: string, change: Partial<ServiceInstance> = {}): ServiceInstance => ({
  name,
  version: '1.4.0',
  generation: 7,
  since: '2026-03-04T05:06:07Z',
  seenAt: '2026-03-04T06:06:07Z',
  isLive: true,
  isThis: false,
  isRestartDue: false,
  failure: null,
  ...change,
});
