import type { Kapsule } from '@kaptain/contract/kapsules';
import { useRememberedList } from '../../shared/use-remembered-list.ts';

const SHOWN_AT_FIRST = 2;

/** The fields shown as columns, remembered per kapsule. */
export function useColumns({
  _id,
  fields,
}: Kapsule): [readonly string[], (names: readonly string[]) => void] {
  const names = fields.map(({ name }) => name);
  const [chosen, choose] = useRememberedList(`kaptain.columns.${_id}`, names.slice(0, SHOWN_AT_FIRST));
  // Fields that the structure no longer has are left out.
  return [names.filter((name) => chosen.includes(name)), choose];
}
