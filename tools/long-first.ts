import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, which would otherwise run alone at the end while the other cores are idle. */
const longest = [
  'apps/service/fuzz/fuzz.test.ts',
  'packages/store/src/backends/mongodb/mongodb.live.test.ts',
  'apps/service/src/kapsule-rules/slow-readers.live.test.ts',
  'packages/store/src/backends/postgres/postgres.live.test.ts',
  'apps/service/src/http/long-answers.test.ts',
  'packages/store/src/backends/mongodb/recovery.live.test.ts',
  'apps/service/src/outage.live.test.ts',
  'apps/service/src/supervisor/supervisor.test.ts',
  'apps/service/src/instances.live.test.ts',
  'apps/service/src/docs/generated-requests.test.ts',
  'apps/service/src/http/broken-uploads.test.ts',
  'apps/service/src/testing/access-matrix/access-matrix.test.ts',
  'apps/service/src/supervisor/crashes.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
};

/** Vitest knows the durations of the last run only; a fresh clone has none. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
