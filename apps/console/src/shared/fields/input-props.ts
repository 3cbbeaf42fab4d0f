import type { RuledField } from '@kaptain/contract/field-rules';

/** What a form gives to a control: every value is edited as a text. */
export interface InputProps {
  id?: string;
  value?: string | undefined;
  onChange?: (text: string) => void;
  disabled?: boolean;
  'aria-label'?: string;
}

/** Values that are offered for what is typed, because only the service knows all. */
export interface Offered {
  values: readonly string[];
  isLoading: boolean;
  onSearch: (text: string) => void;
}

/** What a control needs, whatever the type of its field. */
export interface ControlProps {
  field: RuledField;
  input: InputProps;
  /** The choices that the row allows, where they are fewer than those of the field. */
  choices?: readonly string[] | undefined;
  /** People, or the values of another kapsule. */
  offered?: Offered | undefined;
}

/** No text at all where there is no value: a select would show an empty choice. */
export const chosenIn = (text: string | undefined): string | undefined => text || undefined;
