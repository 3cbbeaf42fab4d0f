import { IdcardOutlined } from '@ant-design/icons';
import { limits } from '@kaptain/contract/limits';
import { App, Button, Form, Input } from 'antd';
import { useTestSignIn } from '../../../api/settings.ts';
import { openWindow } from '../../../shared/open-window.ts';
import { FieldGrid } from '../fields/FieldGrid.tsx';
import styles from '../Settings.module.css';
import { providerGroup, providerLists } from '../setting-groups.ts';
import { type SettingsValues, toBody } from '../settings-values.ts';
import { useSettingsContext } from '../use-settings-form.ts';

/** The OpenID Connect provider with which people sign in; a part of Security, because SPEC names the sections. */
export function ProviderFields() {
  const form = Form.useFormInstance<SettingsValues>();
  const { info } = useSettingsContext();
  const { message } = App.useApp();
  const test = useTestSignIn();

  const run = () => {
    const tab = openWindow();
    test.mutate(toBody(form.getFieldsValue(true) as SettingsValues, info), {
      onSuccess: ({ url }) => tab?.location.replace(url),
      onError: (error) => {
        tab?.close();
        void message.error(error.message);
      },
    });
  };

  return (
    <fieldset className={styles['provider']}>
      <legend>Company sign-in</legend>
      <p>
        People sign in with the OpenID Connect provider of your company, such as Entra ID, Keycloak or Okta.
        Its redirect address is <code>{`${location.origin}/auth/provider/callback`}</code>
      </p>
      <FieldGrid at={providerGroup.at} fields={providerGroup.fields} />
      <div className={styles['grid']}>
        {providerLists.map(({ key, label, help }) => (
          <Form.Item key={key} name={['provider', key]} label={label} extra={help}>
            <Input.TextArea
              rows={3}
              autoComplete="off"
              spellCheck={false}
              maxLength={limits.mappingCharacters}
            />
          </Form.Item>
        ))}
      </div>
      <Button icon={<IdcardOutlined aria-hidden />} loading={test.isPending} onClick={run}>
        Test sign-in
      </Button>
    </fieldset>
  );
}
