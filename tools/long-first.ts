import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The projects one after another: a process takes another file only when the next one in the queue is of its own project,
 * and a new process loads everything again. The console's tests are last: they wait for nothing, so that no core is idle when the
 * browser tests have ended, beside which the others run.
 */
const projects = ['alone', 'shared', 'console', 'quiet'];

/**
 * The files that take longest, which would otherwise run alone at the end while the other cores are idle. Of those that mostly
 * wait, one runs at a time, beside those that compute.
 */
const longest = [
  'packages/store/src/backends/postgres/postgres.live.test.ts',
  'packages/store/src/backends/mongodb/mongodb.live.test.ts',
  'apps/service/src/replica-set.live.test.ts',
  'apps/service/src/failover.live.test.ts',
  'packages/store/src/backends/mongodb/recovery.live.test.ts',
  'apps/service/src/http/downloads/cut-slow-readers.test.ts',
  'apps/service/src/testing/access-matrix/access-matrix.test.ts',
  'apps/service/src/start.test.ts',
  'apps/service/src/operations/cli/audit.test.ts',
  'apps/service/src/http/docs/generated-requests.test.ts',
  'apps/service/src/kapsules/qvd-import/qvd-import.test.ts',
  'packages/store/src/backends/postgres/outage.live.test.ts',
  'apps/service/src/http/uploads/broken-uploads.test.ts',
  'packages/store/src/backends/embedded/embedded.test.ts',
  'apps/service/src/http/answers/long-answers.test.ts',
  'packages/data-sources/src/dialects/mysql.live.test.ts',
  'packages/data-sources/src/dialects/postgresql.live.test.ts',
  'apps/service/src/kapsules/granules/granule-events.test.ts',
  'apps/service/src/operations/supervisor/supervisor.test.ts',
  'apps/service/src/operations/supervisor/crashes.test.ts',
  'packages/store/src/backends/embedded/search-index.test.ts',
  'packages/data-sources/src/dialects/fakes.test.ts',
  'apps/service/src/instances.live.test.ts',
  'apps/console/src/features/settings/settings.test.tsx',
  'apps/console/src/features/logs/logs.test.tsx',
  'apps/console/src/features/kapsules/kapsule-delete.test.tsx',
  'apps/console/src/features/granules/granules.test.tsx',
  // At their full size.
  'apps/service/src/kapsules/data-sources/slow-readers.live.test.ts',
  'packages/store/src/backends/postgres/search.live.test.ts',
  'tools/fuzz-http/fuzz.test.ts',
  'apps/service/src/outage.live.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
};

const projectOf = ({ project }: TestSpecification) => projects.indexOf(project.name);

/** Vitest knows the durations of the last run only; a fresh clone has none. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted(
      (one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other),
    );
  }
}
