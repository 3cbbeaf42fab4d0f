import { type RuledField, rulesProblem } from '@kaptain/contract/field-rules';
import { fieldTypes } from '@kaptain/contract/fields';
import { type CellType, hasChoices, knownTypeOf } from './values.ts';

/** A field as the author of the sheet has set it up. */
export interface EditedField {
  name: string;
  type: CellType;
  /** Of the types `choice` and `choices`. */
  choices: string[];
  isRequired: boolean;
}

/** A field of the kapsule as the table edits it. */
export interface SheetField extends RuledField {
  /** The author of the sheet wants no row saved without it; the rules of the kapsule allow what is stored already. */
  holdsRow: boolean;
}

/** Whether values of this presentation, which a sheet has chosen, are values of the kapsule's type. Days and times are texts. */
const presents = (own: CellType, stored: CellType): boolean =>
  fieldTypes[own].earlier === stored ||
  (fieldTypes[stored] === fieldTypes.text && ['day', 'time'].includes(fieldTypes[own].comparedAs));

const choicesOf = ({ choices }: EditedField) =>
  choices.length > 0 ? { choices: choices.map((value) => ({ value })) } : {};

/** The kapsule says what a field is; where it has a plain type without choices, the sheet may present it in another way. */
function asStored(own: EditedField, stored: RuledField): SheetField {
  const holdsRow = own.isRequired;
  const needsChoices = hasChoices(own.type) && own.choices.length === 0;
  if (needsChoices || !presents(own.type, stored.type)) return { ...stored, holdsRow };
  return { ...stored, type: own.type, ...(hasChoices(own.type) && choicesOf(own)), holdsRow };
}

/** The fields of a sheet by what the service says about the kapsule; while it has said nothing, by the properties alone. */
export function sheetFields(
  fields: readonly EditedField[],
  kapsule: readonly RuledField[] | undefined,
): SheetField[] {
  return fields.map((own) => {
    const stored = kapsule?.find(({ name }) => name === own.name);
    if (stored) return asStored(own, stored);
    return { name: own.name, type: own.type, ...choicesOf(own), holdsRow: own.isRequired };
  });
}

/** The fields in an answer; of rules that are not known here only the name and the type are left, and the service checks them. */
export function fieldsIn(answer: unknown): RuledField[] | undefined {
  const { fields } = (answer ?? {}) as { fields?: unknown };
  if (!Array.isArray(fields)) return undefined;
  const all = (fields as RuledField[]).map((field) => ({ ...field, type: knownTypeOf(field.type) }));
  return all.map((field) => {
    if (rulesProblem(field, all) === undefined) return field;
    const { name, type, label, help } = field;
    return { name, type, ...(label !== undefined && { label }), ...(help !== undefined && { help }) };
  });
}
