import { fieldTypeNamed } from '../fields/index.ts';

interface AnyField {
  name: string;
  type: string;
}

/** The version of .kap files with rules or types that version 1 does not have. */
export const KAP_WITH_RULES = 2;

/** Whether version 1 can say no more of a field than this. */
const isAll = ({ type }: AnyField, stored: AnyField): boolean =>
  type === stored.type || type === fieldTypeNamed(stored.type).earlier;

/**
 * The fields that a .kap file makes of those that are there. Version 1 knows neither rules nor newer types, so a field that it has with
 * the type that it knows keeps both; with another type, its rules are gone.
 */
export function fieldsOfKap<F extends AnyField, S extends AnyField>(
  version: number,
  fields: readonly F[],
  before: readonly S[],
): (F | S | Pick<F, 'name' | 'type'>)[] {
  if (version >= KAP_WITH_RULES) return [...fields];
  const stored = new Map(before.map((field) => [field.name, field]));
  return fields.map((field) => {
    const stays = stored.get(field.name);
    return stays && isAll(field, stays) ? stays : { name: field.name, type: field.type };
  });
}
