import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { RequestDurations } from './request-durations.ts';
import { labelsOf } from './route-labels.ts';

it('prints what the histogram of prom-client prints for the same answers', async () => {
  const durations = new RequestDurations();
  const [ours, theirs] = [new Registry(), new Registry()];
  ours.registerMetric(durations.metric);
  const { name, help, labelNames } = durations;
  const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
  const histogram = new Histogram({ name, help, labelNames, buckets, registers: [theirs] });
  const answers = [
    { method: 'GET', template: '/api/kapsule', status: 200 },
    { method: 'GET', template: '/api/kapsule', status: 401 },
    { method: 'PUT', template: '/api/kapsule/:id/granules', status: 200 },
    // Both get the same labels.
    { method: 'PROPFIND', template: undefined, status: 404 },
    { method: 'TRACE', template: undefined, status: 404 },
  ];
  // On, beside and beyond the bounds.
  const times = [0, 0.4, 5, 5.001, 9.99, 10, 99, 100, 2500, 2501, 10_000, 10_000.5, 3_600_000];
  for (const answer of answers)
    for (const ms of times) {
      durations.observe(answer, ms);
      histogram.observe(labelsOf(answer), ms / 1000);
    }
  const printed = await ours.metrics();
  expect(printed).toBe(await theirs.metrics());
  expect(printed).toContain(`${name}_count{method="other",route="unknown",status="404"} ${2 * times.length}`);
});
