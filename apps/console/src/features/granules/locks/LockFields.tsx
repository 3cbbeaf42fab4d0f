import { PlusOutlined } from '@ant-design/icons';
import { shownName } from '@kaptain/contract/field-rules';
import { limits } from '@kaptain/contract/limits';
import { Button, Checkbox, Form, Input, Radio } from 'antd';
import { MultipleSelect } from '../../../shared/MultipleSelect.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import { type ConditionContext, ConditionRow } from './ConditionRow.tsx';
import { type ConditionDraft, newCondition, readCondition, subjects } from './condition-draft.ts';
import styles from './Locks.module.css';
import type { LockDraft } from './lock-draft.ts';

const Field = Form.Item<LockDraft>;

/** Name, fields, conditions, exceptions and openers of a lock. */
export function LockFields({ mayOpenForOwner, ...context }: ConditionContext & { mayOpenForOwner: boolean }) {
  const { granule } = useWords();
  const form = Form.useFormInstance<LockDraft>();
  const reach = Form.useWatch('reach', form);
  const openers = Form.useWatch('openers', form);
  const { fields } = context;
  const [first] = subjects(fields);
  const required = (message: string) => [{ required: true, whitespace: true, message }];
  return (
    <>
      <Field
        name="name"
        label="Name"
        rules={required('Name is required!')}
        extra="People see it at what is closed."
      >
        <Input autoComplete="off" maxLength={limits.nameCharacters} />
      </Field>
      <Field name="reach" label="What it closes">
        <Radio.Group
          options={[
            { value: 'row', label: `Whole ${granule.many}` },
            { value: 'fields', label: 'Some fields' },
          ]}
        />
      </Field>
      {reach === 'fields' && (
        <Field name="fields" label="Fields" rules={[{ required: true, message: 'Choose a field!' }]}>
          <MultipleSelect
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="Fields"
            options={fields.map((field) => ({ value: field.name, label: shownName(field) }))}
          />
        </Field>
      )}
      <Field name="closes" label="When">
        <Radio.Group
          className={styles['choices'] ?? ''}
          options={[
            { value: 'when', label: 'Closed when all conditions hold' },
            { value: 'unless', label: 'Editable only when all conditions hold' },
          ]}
        />
      </Field>
      <fieldset className={styles['conditions']}>
        <legend>Conditions</legend>
        <Form.List name="conditions">
          {(rows, { add, remove }) => (
            <>
              {rows.length === 0 && (
                <p
                  className={styles['hint']}
                >{`None: it holds for all ${granule.many}, people and times.`}</p>
              )}
              {rows.map(({ key, name: index }) => (
                <Form.Item
                  key={key}
                  name={index}
                  className={styles['item'] ?? ''}
                  rules={[
                    {
                      validator: async (_, draft: ConditionDraft) => {
                        const read = readCondition(draft, fields);
                        if ('problem' in read) throw new Error(read.problem);
                      },
                    },
                  ]}
                >
                  <ConditionRow {...context} number={index + 1} onRemove={() => remove(index)} />
                </Form.Item>
              ))}
              <Button
                icon={<PlusOutlined aria-hidden="true" />}
                disabled={rows.length >= limits.conditionsPerLock}
                onClick={() => add(newCondition(first?.value ?? 'group', fields))}
              >
                Add condition
              </Button>
            </>
          )}
        </Form.List>
      </fieldset>
      <Field name="mayEnter" valuePropName="checked">
        <Checkbox>{`New ${granule.many} and empty values may still be entered`}</Checkbox>
      </Field>
      <Field
        name="openers"
        label="Who may open it again"
        extra={
          openers === 'OWNER' && !mayOpenForOwner
            ? 'You will not be able to change or remove it yourself.'
            : undefined
        }
      >
        <Radio.Group
          className={styles['choices'] ?? ''}
          options={[
            { value: 'DELETE', label: 'All who may delete' },
            { value: 'OWNER', label: 'The owner and ADMINs' },
          ]}
        />
      </Field>
    </>
  );
}
