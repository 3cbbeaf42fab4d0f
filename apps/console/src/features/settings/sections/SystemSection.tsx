import { Checkbox, Form, Input, Switch } from 'antd';
import { useWords } from '../../../variants/use-variant.ts';
import { OriginsField } from '../fields/OriginsField.tsx';
import { SecretInput } from '../fields/SecretInput.tsx';
import { ServerFileField } from '../fields/ServerFileField.tsx';
import { textOf } from '../paths.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { systemGroup } from '../setting-groups.ts';
import { useSettingsContext } from '../use-settings-form.ts';
import { CreatorLimits } from './CreatorLimits.tsx';

const at = (key: string) => ['settings', key];

/** Spec 3: a read-only port; https with its certificate; allowed origins; API keys. */
export function SystemSection() {
  const words = useWords();
  const form = Form.useFormInstance();
  const { info, isOwnService } = useSettingsContext();
  const isSecure = Form.useWatch<boolean | undefined>(at('https'), form) === true;
  const isPfx = Form.useWatch<boolean | undefined>(at('usePfxCertificate'), form) === true;
  const labels = Object.fromEntries(systemGroup(words).fields.map(({ key, label }) => [key, label]));

  return (
    <Section section="system" title="System" description={`How ${words.service} is reached, and by whom.`}>
      <div className={styles['grid']}>
        <Form.Item
          label="Port"
          htmlFor="setting_port"
          extra="Changed in the config file of the service; needs a restart."
        >
          <Input id="setting_port" value={textOf(info.settings['port'])} readOnly disabled />
        </Form.Item>
      </div>
      <Form.Item
        name={at('https')}
        label={labels['https']}
        valuePropName="checked"
        extra="Encrypts everything between the browser and the service. Needs a certificate."
      >
        <Switch
          onChange={(isOn) => {
            // Spec 4: HTTPS off clears the PFX password and turns PFX off.
            if (!isOn)
              form.setFieldsValue({ settings: { usePfxCertificate: false, pfxPassword: '', hsts: false } });
          }}
        />
      </Form.Item>
      <div className={styles['switches']}>
        {isSecure && (
          <Form.Item
            name={at('hsts')}
            valuePropName="checked"
            extra="Browsers will refuse plain http for this host from then on."
          >
            <Checkbox>{labels['hsts']}</Checkbox>
          </Form.Item>
        )}
        <Form.Item name={at('usePfxCertificate')} valuePropName="checked">
          <Checkbox disabled={!isSecure}>{labels['usePfxCertificate']}</Checkbox>
        </Form.Item>
      </div>
      {isSecure && (
        <div className={styles['grid']}>
          {isPfx ? (
            <>
              <ServerFileField file="server.pfx" label="Server PFX" ending=".pfx" />
              <Form.Item name={at('pfxPassword')} label={labels['pfxPassword']}>
                <SecretInput path={at('pfxPassword')} />
              </Form.Item>
            </>
          ) : (
            <>
              <ServerFileField file="server.pem" label="Server PEM" ending=".pem" />
              <ServerFileField file="server_key.pem" label="Server Key PEM" ending=".pem" />
            </>
          )}
        </div>
      )}
      <OriginsField label={labels['corsAllowOrigins'] ?? ''} />
      <Form.Item
        name={at('apiKey')}
        label={labels['apiKey']}
        valuePropName="checked"
        extra={`Lets the ${words.platform} extension and load scripts in with a key. Off: every key is refused.`}
      >
        <Switch />
      </Form.Item>
      {isOwnService && <CreatorLimits />}
    </Section>
  );
}
