import { limits } from '@kaptain/contract/limits';
import { Form, Input, Select } from 'antd';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { logLevels } from '../setting-defaults.ts';

/** Spec 9: debug, warn, info or error. */
export function LoggingSection() {
  return (
    <Section section="logs" title="Logs" description="How much the service writes down, and where.">
      <div className={styles['grid']}>
        <Form.Item name={['system', 'logLevel']} label="Log level">
          <Select options={logLevels.map((value) => ({ value, label: value }))} />
        </Form.Item>
        <Form.Item
          name={['system', 'logPath']}
          label="Log path"
          extra="A folder of the service’s machine. Empty for the one inside its data folder."
        >
          <Input autoComplete="off" spellCheck={false} maxLength={limits.nameCharacters} />
        </Form.Item>
      </div>
    </Section>
  );
}
