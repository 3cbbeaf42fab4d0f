import { Form, Input } from 'antd';
import { useWords } from '../../../variants/use-variant.ts';
import { wholeNumber } from '../fields/rules.ts';
import styles from '../Settings.module.css';
import { creatorLimits } from '../setting-groups.ts';

/** The limits of each creator; an empty field means the default. */
export function CreatorLimits() {
  return (
    <div className={styles['grid']}>
      {creatorLimits(useWords()).map(({ key, label, help, standard, max }) => (
        <Form.Item
          key={key}
          name={['settings', key]}
          label={label}
          extra={help}
          rules={[wholeNumber(label, { min: 1, max })]}
        >
          <Input inputMode="numeric" autoComplete="off" placeholder={String(standard)} />
        </Form.Item>
      ))}
    </div>
  );
}
