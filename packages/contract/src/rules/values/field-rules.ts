import type { FieldType } from '../../fields/index.ts';

/** Colours of choices, by the names that Ant Design's tags have. */
export const choiceColors = [
  'blue',
  'green',
  'gold',
  'orange',
  'red',
  'purple',
  'magenta',
  'cyan',
  'default',
] as const;

export interface Choice {
  value: string;
  color?: (typeof choiceColors)[number] | undefined;
}

type Plain = string | number | boolean;

/** What a kapsule demands of the values of one field, beside their type. */
export interface FieldRules {
  /** Shown in place of the name. */
  label?: string | undefined;
  help?: string | undefined;
  required?: boolean | undefined;
  /** A value that is written stays. */
  writeOnce?: boolean | undefined;
  /** Of the value, or of the number of its characters or entries. */
  min?: number | string | undefined;
  max?: number | string | undefined;
  decimals?: number | undefined;
  /** Shown after a number. */
  unit?: string | undefined;
  /** Numbers are shown with groups of thousands. */
  thousands?: boolean | undefined;
  pattern?: string | undefined;
  choices?: Choice[] | undefined;
  /** The choices are the values of a field of another kapsule. */
  choicesFrom?: { kapsuleId: string; field: string } | undefined;
  /** Which choices there are depends on the value of another field of the row. */
  choicesBy?: { field: string; choices: Record<string, string[]> } | undefined;
  /** The value of a new record that brings none. */
  default?: Plain | Plain[] | undefined;
}

export interface RuledField extends FieldRules {
  name: string;
  type: FieldType;
}

/** How many stars a rating has when its field says nothing. */
export const STARS = 5;

export const shownName = ({ label, name }: Pick<RuledField, 'label' | 'name'>): string => label || name;

export type RuleName =
  | 'type'
  | 'unknown'
  | 'required'
  | 'writeOnce'
  | 'min'
  | 'max'
  | 'decimals'
  | 'pattern'
  | 'choices'
  | 'person'
  | 'closed'
  | 'approval';

/** Why a value may not be stored. */
export interface Refusal {
  field: string;
  rule: RuleName;
  message: string;
  value?: unknown;
}
