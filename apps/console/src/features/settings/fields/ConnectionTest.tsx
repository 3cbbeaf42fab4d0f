import { ApiOutlined, CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { type ReactNode, useState } from 'react';
import { type ConnectionTarget, useTestConnection } from '../../../api/settings.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { failingField } from '../changes/failing-field.ts';
import { valueAt } from '../paths.ts';
import styles from '../Settings.module.css';
import { type SettingsValues, toBody } from '../settings-values.ts';
import { useSettingsContext } from '../use-settings-form.ts';

interface Props {
  target: ConnectionTarget;
  /** The object of the test, for the label of the button. */
  name: string;
  /** The fields that must be valid before the test. */
  fields: string[][];
}

const categories = {
  unknownHost: 'Host not found',
  refused: 'Refused',
  timeout: 'No answer in time',
  tls: 'TLS problem',
  login: 'Login refused',
  other: 'Not possible',
} as const;
const hints = {
  unknownHost: 'Check the spelling of the host name, and that the machine of the service can resolve it.',
  refused: 'Check host and port, and that the server is running and reachable from the service.',
  timeout: 'Check the host name and whether a firewall is in between.',
  tls: 'Check the certificates and whether the server expects an encrypted connection.',
  login: 'Check the user and the password.',
  other: 'Check what you have entered; the system log of the service says more.',
} as const;

/** Tests a connection with the values of the form and shows the result. */
export function useConnectionTest({ target, name, fields }: Props): { button: ReactNode; result: ReactNode } {
  const form = Form.useFormInstance<SettingsValues>();
  const { info, initial, isOwnService, whileTesting } = useSettingsContext();
  const test = useTestConnection();
  const [isWaiting, setWaiting] = useState(false);
  const inputsOf = (values: unknown) => JSON.stringify(fields.map((path) => valueAt(values, path)));
  const inputs = Form.useWatch(inputsOf, { form, preserve: true });
  const [tested, setTested] = useState<string>();
  if (!isOwnService) return { button: null, result: null };

  const run = async () => {
    setWaiting(true);
    try {
      await whileTesting(() => form.validateFields(fields as never, { recursive: true }));
      const values = form.getFieldsValue(true) as SettingsValues;
      const settings = toBody(values, info);
      setTested(inputsOf(values));
      test.mutate(
        { target, settings },
        {
          onError: (error) => {
            const path = failingField(error, toBody(initial, info), settings);
            if (path) form.setFields([{ name: path, errors: [error.message] }]);
          },
        },
      );
    } catch {
      // Invalid fields show their own messages.
      test.reset();
    } finally {
      setWaiting(false);
    }
  };
  // The result belongs to what was tested: after a change of its inputs it says nothing any more.
  const isCurrent = tested === inputs;

  return {
    button: (
      <Button
        icon={<ApiOutlined aria-hidden />}
        loading={isWaiting || test.isPending}
        aria-label={`Test connection: ${name}`}
        onClick={() => void run()}
      >
        Test connection
      </Button>
    ),
    result: (
      <div role="status" className={styles['tested']}>
        {isCurrent && test.isError && <Failed title={categories.other} text={messageOf(test.error)} />}
        {isCurrent && test.data?.ok === false && (
          <Failed
            title={categories[test.data.category ?? 'other']}
            text={test.data.message}
            hint={test.data.hint ?? hints[test.data.category ?? 'other']}
          />
        )}
        {isCurrent && test.data?.ok && (
          <p data-ok="true">
            <CheckCircleFilled aria-hidden />
            <span>
              <strong>Connected</strong>
              {test.data.latencyMs !== undefined && ` in ${Math.max(1, Math.round(test.data.latencyMs))} ms`}
            </span>
          </p>
        )}
      </div>
    ),
  };
}

function Failed({ title, text, hint }: { title: string; text: string; hint?: string }) {
  return (
    <p data-ok="false">
      <CloseCircleFilled aria-hidden />
      <span>
        <strong>{title}</strong> {text}
        {hint !== undefined && hint !== text && <small>{hint}</small>}
      </span>
    </p>
  );
}
