export { closingLock, refusingLock } from './closing-lock.ts';
export {
  dependsOnRowOnly,
  type FieldComparison,
  isOnField,
  type Lock,
  type LockCondition,
  type SeenLock,
} from './lock.ts';
export { comparisonsOf, fieldsOfLock, lockProblem, locksProblem } from './locks-problem.ts';
export { type Saver, seenLocks } from './seen-locks.ts';
