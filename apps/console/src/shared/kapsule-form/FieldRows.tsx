import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { fieldTypeNames } from '@kaptain/contract/fields';
import { Button, Form, Input, Select } from 'antd';
import { IconAction } from '../IconAction.tsx';
import styles from './KapsuleForm.module.css';
import { fieldProblem, type KapsuleValues } from './kapsule-values.ts';

const types = fieldTypeNames.map((value) => ({ value, label: value }));

/** The fields of a kapsule with their types. A stored field keeps its name, because its values are stored under it. */
export function FieldRows({ stored }: { stored: number }) {
  const form = Form.useFormInstance<KapsuleValues>();
  const check = (index: number) => async () => {
    const problem = fieldProblem(form.getFieldValue('fields') as KapsuleValues['fields'], index);
    if (problem !== undefined) throw new Error(problem);
  };
  return (
    <fieldset className={styles['fields']}>
      <legend>Fields</legend>
      <Form.List name="fields">
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name: index }) => {
              const isStored = key < stored;
              return (
                <div key={key} className={styles['field']}>
                  <Form.Item name={[index, 'name']} rules={[{ validator: check(index) }]}>
                    <Input
                      aria-label={`Name of field ${index + 1}`}
                      disabled={isStored}
                      autoComplete="off"
                      maxLength={255}
                    />
                  </Form.Item>
                  <Form.Item name={[index, 'type']}>
                    <Select aria-label={`Type of field ${index + 1}`} options={types} />
                  </Form.Item>
                  <IconAction
                    title="Remove"
                    label={`Remove field ${index + 1}`}
                    icon={<DeleteOutlined />}
                    blockedBy={rows.length === 1 ? 'It needs at least one field.' : undefined}
                    onClick={() => remove(index)}
                  />
                </div>
              );
            })}
            {stored > 0 && (
              <p className={styles['hint']}>
                Values of a removed field are kept and simply no longer listed; adding it again brings them
                back.
              </p>
            )}
            <Button
              className={styles['add'] ?? ''}
              icon={<PlusOutlined aria-hidden="true" />}
              onClick={() => add({ name: '', type: 'text' })}
            >
              Add field
            </Button>
          </>
        )}
      </Form.List>
    </fieldset>
  );
}
