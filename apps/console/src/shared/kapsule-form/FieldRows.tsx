import { PlusOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import type { ChoiceSources } from './choice-sources.ts';
import { FieldRowItem } from './FieldRowItem.tsx';
import styles from './KapsuleForm.module.css';

interface Props {
  /** How many fields are stored already. A stored field keeps its name, because its values are stored under it. */
  stored: number;
  sources: ChoiceSources;
}

/** The fields of a kapsule with their types and rules. */
export function FieldRows({ stored, sources }: Props) {
  return (
    <fieldset className={styles['fields']}>
      <legend>Fields</legend>
      <Form.List name="fields">
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name: index }) => (
              <FieldRowItem
                key={key}
                index={index}
                isStored={key < stored}
                isLast={rows.length === 1}
                sources={sources}
                onRemove={() => remove(index)}
              />
            ))}
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
