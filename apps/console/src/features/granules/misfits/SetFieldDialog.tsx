import { type RuledField, readField, shownName } from '@kaptain/contract/field-rules';
import { isThread } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Alert, App, Form, Select } from 'antd';
import { useState } from 'react';
import { type SetOutcome, type ShownRow, useSetField } from '../../../api/set-field.ts';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { personLocale } from '../../../shared/fields/person-locale.ts';
import { ruled } from '../../../shared/fields/ruled-field.ts';
import { failureOf } from '../../../shared/message-of.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { countText } from '../changed-text.ts';
import { KapsuleFieldInput } from '../KapsuleFieldInput.tsx';
import { setFieldText } from './set-field-text.ts';

interface Values {
  field: string | undefined;
  text: string;
}

interface Props {
  dialog: Dialog<readonly ShownRow[]>;
  kapsule: Kapsule;
  rows: readonly ShownRow[];
  /** The field to begin with: the one that the page or all chosen rows show; empty for none, so that the person chooses. */
  field: string;
  onSaved: () => void;
}

/** The value of the edited text, which clears the field when it is blank. */
const read = (field: RuledField, text: string) => readField(field, text, personLocale());

/** The rows for which the same or another value can be tried again. */
const leftOf = ({ refused, unanswered, notTried }: SetOutcome): ShownRow[] => [
  ...refused.map(({ row }) => row),
  ...unanswered,
  ...notTried,
];

/** Gives one field of all selected granules the same value. */
export function SetFieldDialog({ dialog, kapsule, rows: selected, field: first, onSaved }: Props) {
  const { granule } = useWords();
  const { message } = App.useApp();
  const [form] = Form.useForm<Values>();
  const set = useSetField(kapsule._id);
  const [rows, setRows] = useState(selected);
  const fields = kapsule.fields.filter(({ type }) => !isThread(type)).map(ruled);
  const fieldOf = (name = '') => fields.find((one) => one.name === name);
  const chosen = Form.useWatch('field', form) ?? first;
  const field = fieldOf(chosen);
  const what = countText(rows.length, granule);

  return (
    <FormDialog<Values>
      title={`Set a field of ${what}`}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={{ field: fieldOf(first)?.name, text: '' }}
      isSaving={set.isPending}
      failure={failureOf(set.error)}
      onSave={({ field: name, text }) => {
        const to = fieldOf(name);
        const value = to && read(to, text ?? '');
        if (!to || !value || !('value' in value)) return;
        set.mutate(
          { rows, field: to.name, value: value.value },
          {
            onSuccess: (outcome) => {
              const left = leftOf(outcome);
              onSaved();
              setRows(left);
              if (left.length > 0) return;
              dialog.close();
              const text = setFieldText(outcome, granule);
              void (outcome.saved === rows.length ? message.success(text) : message.warning(text));
            },
          },
        );
      }}
    >
      {set.data && leftOf(set.data).length > 0 && (
        <div role="status">
          <Alert type="error" showIcon title={setFieldText(set.data, granule)} />
        </div>
      )}
      <Form.Item name="field" label="Field" rules={[{ required: true, message: 'Please choose a field!' }]}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={fields.map((one) => ({ value: one.name, label: shownName(one) }))}
          onChange={() => form.setFieldValue('text', '')}
        />
      </Form.Item>
      {field && <ValueItem kapsuleId={kapsule._id} field={field} />}
    </FormDialog>
  );
}

function ValueItem({ kapsuleId, field }: { kapsuleId: string; field: RuledField }) {
  return (
    <Form.Item
      key={field.name}
      name="text"
      label="Value"
      extra="Without a value the field is cleared."
      rules={[
        {
          validator: async (_, text: string | undefined) => {
            const value = read(field, text ?? '');
            if ('message' in value) throw new Error(value.message);
          },
        },
      ]}
    >
      <KapsuleFieldInput kapsuleId={kapsuleId} field={field} />
    </Form.Item>
  );
}
