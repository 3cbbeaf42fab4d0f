import { generic } from '@kaptain/contract/messages';
import { Alert, Form, Radio } from 'antd';
import { useWords } from '../../../variants/use-variant.ts';
import { useConnectionTest } from '../fields/ConnectionTest.tsx';
import { FieldGrid } from '../fields/FieldGrid.tsx';
import { textOf } from '../paths.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { sectionTitles } from '../sections.ts';
import { databaseTypes } from '../setting-defaults.ts';
import { databaseGroup } from '../setting-groups.ts';
import { useSettingsContext } from '../use-settings-form.ts';
import { BackupFields } from './BackupFields.tsx';

const TYPE = ['db', 'KAPTAIN_DB'];
const PORT = ['db', 'KAPTAIN_DB_PORT'];
const usualPorts: Record<string, number> = { mongodb: 27_017, postgres: 5432 };

interface Props {
  /** The environment of the service names the database. */
  isFixed?: boolean;
}

/** Spec 3: the database of the service itself. Our own service also has a built-in one. */
export function DatabaseSection({ isFixed = false }: Props) {
  const words = useWords();
  const { database, service } = words;
  const form = Form.useFormInstance();
  const { info, isOwnService } = useSettingsContext();
  const type = textOf(Form.useWatch<unknown>(TYPE, form));
  const group = databaseGroup(words);
  const fields = group.fields.filter(({ key }) => key !== 'KAPTAIN_DB');
  const { button, result } = useConnectionTest({ target: 'database', name: database.one, fields: [['db']] });

  return (
    <Section
      section="database"
      title={sectionTitles(words).database}
      description={`Where ${service} keeps its users, groups, ${words.kapsule.many} and ${words.granule.many}.`}
      action={type !== '' && button}
    >
      {isFixed && (
        <Alert
          className={styles['banner'] ?? ''}
          type="info"
          showIcon
          title={`The environment of the service names its ${database.one}: type and connection below have no effect.`}
        />
      )}
      {result}
      <Form.Item
        name={TYPE}
        label="Type"
        required
        rules={isOwnService ? [] : [{ required: true, message: generic('required', { label: 'Type' }) }]}
        extra={
          type === ''
            ? 'Nothing to install or to enter: it lives in the data folder of the service.'
            : `Another ${database.one} starts empty, except for your own account.`
        }
      >
        <Radio.Group
          optionType="button"
          options={[
            ...(isOwnService ? [{ value: '', label: 'Built-in' }] : []),
            ...databaseTypes.map((value) => ({ value, label: value })),
          ]}
          onChange={({ target }) => {
            const typed = textOf(form.getFieldValue(PORT));
            const isUntouched = typed === '' || Object.values(usualPorts).map(String).includes(typed);
            if (isUntouched) form.setFieldValue(PORT, usualPorts[String(target.value)] ?? '');
          }}
        />
      </Form.Item>
      {type === '' && info.backup !== undefined && <BackupFields />}
      {type !== '' && (
        <div className={styles['fields']}>
          <FieldGrid at={group.at} fields={fields} />
        </div>
      )}
    </Section>
  );
}
