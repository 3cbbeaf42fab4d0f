import { dependentChoices, shownName } from '@kaptain/contract/field-rules';
import { isEmpty } from '@kaptain/contract/fields';
import { Form } from 'antd';
import { type EditedField, editedValue, editProblem, isOfOtherType } from './edit-values.ts';
import { KapsuleFieldInput } from './KapsuleFieldInput.tsx';

/** Names of fields may contain any character, so the form knows them by their index. */
export type Texts = Record<string, string | undefined>;

interface Props {
  kapsuleId: string;
  edited: EditedField;
  index: number;
  /** The field on which the choices of this one depend. */
  other: (EditedField & { index: number }) | undefined;
}

/** One field of a granule in the form. */
export function GranuleField({ kapsuleId, edited, index, other }: Props) {
  const form = Form.useFormInstance<Texts>();
  const { field, before } = edited;
  const otherText = Form.useWatch((texts: Texts) => (other ? texts[other.index] : undefined), form) ?? '';
  const choices =
    other && dependentChoices(field, new Map([[other.field.name, editedValue(other, otherText)]]));
  // A value that is written stays.
  const isFixed = field.writeOnce === true && !isEmpty(before);
  return (
    <Form.Item
      name={String(index)}
      label={shownName(field)}
      required={field.required === true}
      extra={field.help}
      dependencies={other ? [String(other.index)] : []}
      rules={[
        {
          validator: async (_, text: string | undefined) => {
            const beside = other && { ...other, text: form.getFieldsValue()[other.index] ?? '' };
            const problem = editProblem(edited, text ?? '', beside);
            if (problem !== undefined) throw new Error(problem);
          },
        },
      ]}
    >
      <KapsuleFieldInput
        kapsuleId={kapsuleId}
        field={field}
        choices={choices}
        isText={isOfOtherType(edited)}
        disabled={isFixed}
      />
    </Form.Item>
  );
}
