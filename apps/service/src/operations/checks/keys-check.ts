import { OTHER_PEPPER } from '../../base/secrets/pepper-mark.ts';
import { type Check, error, ok } from './check.ts';

/** Whether this installation has the keys with which its database was used before. */
export const keysCheck = (isOther: () => Promise<boolean>): Check => ({
  name: 'Keys',
  async check() {
    return (await isOther()) ? error(OTHER_PEPPER) : ok('They fit the database.');
  },
});
