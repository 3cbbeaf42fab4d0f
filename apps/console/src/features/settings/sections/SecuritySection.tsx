import { limits } from '@kaptain/contract/limits';
import { generic } from '@kaptain/contract/messages';
import { Form, Input, Select, Space } from 'antd';
import { FieldGrid } from '../fields/FieldGrid.tsx';
import { wholeNumber } from '../fields/rules.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { securityOptions } from '../setting-groups.ts';
import { useSettingsContext } from '../use-settings-form.ts';
import { ProviderFields } from './ProviderFields.tsx';

const label = 'Sign Expires In';
const NUMBER = ['security', 'signExpiresIn', 'number'];
const UNIT = ['security', 'signExpiresIn', 'timeUnit'];
const units = [
  { value: 's', label: 'seconds' },
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
];
const perHour: Record<string, number> = { s: 3600, m: 60, h: 1 };

/** Spec 5: a whole number, minimum 0. */
export function SecuritySection() {
  const form = Form.useFormInstance();
  const { isOwnService } = useSettingsContext();
  const unit = Form.useWatch<string | undefined>(UNIT, form) ?? 'h';
  const max = limits.signExpiresInHours * (perHour[unit] ?? 1);
  return (
    <Section section="security" title="Security" description="How people log in, and for how long.">
      <div className={styles['grid']}>
        <Form.Item
          label={label}
          htmlFor="setting_security_signExpiresIn_number"
          required
          extra="Counted from the login. 0 means the default, 24 hours."
        >
          <Space.Compact block>
            <Form.Item
              name={NUMBER}
              noStyle
              dependencies={[UNIT]}
              rules={[
                { required: true, message: generic('required', { label }) },
                wholeNumber(label, { min: 0, max }),
              ]}
            >
              <Input inputMode="numeric" autoComplete="off" />
            </Form.Item>
            <Form.Item name={UNIT} noStyle>
              <Select options={units} aria-label="Unit" className={styles['unit'] ?? ''} />
            </Form.Item>
          </Space.Compact>
        </Form.Item>
      </div>
      {isOwnService && <FieldGrid at={['security']} fields={securityOptions} />}
      {isOwnService && <ProviderFields />}
    </Section>
  );
}
