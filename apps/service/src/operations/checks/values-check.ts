import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { KapsuleRecord, Store } from '@kaptain/store';
import { MisfitReader } from '../../kapsules/misfits/misfit-files.ts';
import { VALUES_CHECK_MS } from '../tuning.ts';
import { type Check, ok, warning } from './check.ts';

type Stored = Pick<Store, 'kapsules' | 'granules'>;

/** The kapsules that a sentence names. */
const NAMED = 5;

/** How many values of a kapsule do not fit, as far as the time allows. */
async function misfitsOf({ granules }: Stored, kapsule: KapsuleRecord, until: number) {
  const reader = new MisfitReader({ kapsule, known: {}, only: {} });
  let count = 0;
  for await (const chunk of granules.stream(kapsule.id, { isTable: true })) {
    for (const { all } of reader.read(chunk)) count += all.length;
    if (performance.now() > until) return { count, isWhole: false };
  }
  return { count, isWhole: true };
}

/** Counts the stored values that do not fit the types and rules of their fields; earlier versions took them. */
export const valuesCheck = (store: Stored, forMs = VALUES_CHECK_MS): Check => ({
  name: 'Values',
  async check() {
    const until = performance.now() + forMs;
    const kapsules = (await store.kapsules.all()).filter(
      ({ database, state }) => database === DEFAULT_DATABASE && !state,
    );
    const found: string[] = [];
    let whole = 0;
    for (const kapsule of kapsules) {
      if (performance.now() > until) break;
      const { count, isWhole } = await misfitsOf(store, kapsule, until);
      if (count > 0) found.push(`${isWhole ? '' : 'at least '}${count} in ${kapsule.name}`);
      if (isWhole) whole += 1;
    }
    const rest =
      whole === kapsules.length
        ? ''
        : ` ${whole} of ${kapsules.length} were read whole within ${forMs / 1000} seconds.`;
    if (found.length === 0) return ok(`All that were read fit their fields.${rest}`);
    const more = found.length > NAMED ? ` and in ${found.length - NAMED} others` : '';
    const named = found.slice(0, NAMED).join(', ');
    return warning(
      `Some do not fit their fields: ${named}${more}. “Values that do not fit” lists them for each.${rest}`,
    );
  },
});
