import { KeyedMutex } from '../../http/limits/keyed-mutex.ts';

/** Decisions of one kapsule, one after another, so that they do not overtake each other; other instances are met in the unit. */
export type OneByOne = Pick<KeyedMutex, 'run'>;

export const oneByOne = (): OneByOne => new KeyedMutex();
