import { text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** A named view of a kapsule that a user has saved. */
export interface ViewRecord extends Stored {
  userId: string;
  kapsuleId: string;
  name: string;
  /** User, kapsule and folded name: a user has one view of a name. */
  nameKey: string;
  query: string;
}

export const views = noun<ViewRecord>({
  name: 'views',
  fields: { userId: text, kapsuleId: text, name: text, nameKey: text, query: text },
  unique: ['nameKey'],
  indexes: ['userId', 'kapsuleId'],
});
