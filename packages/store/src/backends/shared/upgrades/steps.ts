/** One change of the tables of a backend. Once released a step is never edited: a change is a new step at the end. */
export interface Step<Work> {
  work: Work;
  /** Earlier versions work with the result too, so it need not wait until they have stopped. */
  isAdditive?: true;
}

/** How many steps a version must know to work with tables that have had the first `done` ones. */
export const leastSteps = (steps: readonly Step<unknown>[], done: number): number =>
  steps.slice(0, done).findLastIndex(({ isAdditive }) => !isAdditive) + 1;

export const OTHER_VERSION =
  'Another version of the service uses the same database, and this version must change its tables; stop the other one first.';

export const newerVersion = (database: string) =>
  `${database} was written by a newer version of the service; install that version or a later one.`;
