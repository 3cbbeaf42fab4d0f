import { limits } from '@kaptain/contract/limits';
import { generic } from '@kaptain/contract/messages';
import { Form, Input, Select } from 'antd';
import { useWords } from '../../../variants/use-variant.ts';
import { wholeNumber } from '../fields/rules.ts';
import { textOf } from '../paths.ts';
import styles from '../Settings.module.css';
import { backupIntervals } from '../setting-defaults.ts';

const EVERY = ['backup', 'every'];
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00 UTC`,
}));

/** When the service makes backups of its built-in database, and how many it keeps. */
export function BackupFields() {
  const form = Form.useFormInstance();
  const isOff = textOf(Form.useWatch<unknown>(EVERY, form)) === 'never';
  const { database } = useWords();
  const keep = 'Backups to keep';
  return (
    <div className={styles['grid']}>
      <Form.Item
        name={EVERY}
        label="Backup"
        extra={
          isOff
            ? undefined
            : `Of the ${database.one}, the settings and the keys. The first one is made at once.`
        }
      >
        <Select options={Object.entries(backupIntervals).map(([value, label]) => ({ value, label }))} />
      </Form.Item>
      {!isOff && (
        <>
          <Form.Item name={['backup', 'hour']} label="Backup time">
            <Select options={hours} />
          </Form.Item>
          <Form.Item
            name={['backup', 'keep']}
            label={keep}
            rules={[
              { required: true, message: generic('required', { label: keep }) },
              wholeNumber(keep, { min: 1, max: limits.backupsKept }),
            ]}
          >
            <Input inputMode="numeric" autoComplete="off" />
          </Form.Item>
          <Form.Item
            name={['backup', 'folder']}
            label="Backup folder"
            extra="A folder of the service’s machine, best on another disk. Empty for the one inside its data folder."
          >
            <Input autoComplete="off" spellCheck={false} maxLength={limits.nameCharacters} />
          </Form.Item>
        </>
      )}
    </div>
  );
}
