import { limits } from '@kaptain/contract/limits';
import type { StructureProposal } from '@kaptain/contract/proposals';
import { Form, Input, Select } from 'antd';
import type { ReactNode } from 'react';
import type { KapsuleValues } from './kapsule-values.ts';
import { fieldsWithKey } from './proposed-values.ts';

interface Props {
  /** The columns to choose from. */
  columns: StructureProposal['columns'] | undefined;
  isFixed: boolean;
  extra: ReactNode;
}

const rules = [{ required: true, whitespace: true, message: 'Key field is required!' }];

export function KeyField({ columns, isFixed, extra }: Props) {
  const form = Form.useFormInstance<KapsuleValues>();
  // As it was shown: the form may have the new one already.
  const before = Form.useWatch('keyField', form) ?? '';
  const label = { name: 'keyField', label: 'Key field', rules, extra } as const;
  if (!columns)
    return (
      <Form.Item<KapsuleValues> {...label}>
        <Input autoComplete="off" maxLength={limits.nameCharacters} disabled={isFixed} />
      </Form.Item>
    );
  const change = (now: string) => {
    const { fields } = form.getFieldsValue(true) as KapsuleValues;
    form.setFieldsValue({ keyField: now, fields: fieldsWithKey(fields, columns, { before, now }) });
  };
  return (
    <Form.Item<KapsuleValues> {...label}>
      <Select
        showSearch={{ optionFilterProp: 'value' }}
        placeholder="Choose"
        disabled={isFixed}
        options={[...columns]
          .sort((a, b) => Number(b.isKey) - Number(a.isKey))
          .map(({ name, isKey }) => ({
            value: name,
            label: isKey ? `${name} – different in each row` : name,
          }))}
        onSelect={change}
      />
    </Form.Item>
  );
}
