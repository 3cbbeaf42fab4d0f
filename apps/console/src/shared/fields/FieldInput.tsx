import { type EnteredAs, fieldTypeNamed } from '@kaptain/contract/fields';
import type { ComponentType } from 'react';
import { ChoiceInput, ChoicesInput } from './ChoiceInput.tsx';
import { DateInput } from './DateInput.tsx';
import type { ControlProps, InputProps } from './input-props.ts';
import { OfferedInput } from './OfferedInput.tsx';
import { RatingInput } from './RatingInput.tsx';
import { AnswerInput, LineInput, TextInput } from './TextInputs.tsx';

const inputs: Readonly<Record<EnteredAs, ComponentType<ControlProps>>> = {
  text: TextInput,
  paragraph: TextInput,
  decimal: LineInput,
  link: LineInput,
  list: LineInput,
  answer: AnswerInput,
  date: DateInput,
  'datetime-local': DateInput,
  choice: ChoiceInput,
  choices: ChoicesInput,
  person: OfferedInput,
  rating: RatingInput,
};

interface Props extends InputProps, Omit<ControlProps, 'input'> {
  /** The stored value is of another type, and is edited as a text. */
  isText?: boolean;
}

/** The control in which a value of a field is edited. */
export function FieldInput({ field, choices, offered, isText = false, ...input }: Props) {
  const { enteredAs } = fieldTypeNamed(field.type);
  // Of the values of another kapsule, only some are offered.
  const isOpen = enteredAs === 'choice' && field.choicesFrom !== undefined;
  const Control = isText ? TextInput : isOpen ? OfferedInput : inputs[enteredAs];
  return <Control field={field} choices={choices} offered={offered} input={input} />;
}
