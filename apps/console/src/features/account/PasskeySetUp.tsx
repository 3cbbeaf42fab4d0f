import { Alert, Button, Form, Input } from 'antd';
import { useAddPasskey } from '../../api/second-factor.ts';
import { deviceOf } from '../../shared/device-of.ts';
import { failureOf } from '../../shared/message-of.ts';
import { canUsePasskeys, NO_PASSKEYS } from '../../shared/passkeys.ts';
import { useUnsavedGuard } from '../../shared/unsaved-changes.tsx';
import { recoveryCodes } from '../../shared/unsaved-forms.ts';
import styles from './Account.module.css';

/** The name of a new passkey; then the browser makes it. */
export function PasskeySetUp({ onAdded }: { onAdded: (recoveryCodes: readonly string[]) => void }) {
  const add = useAddPasskey();
  const failure = failureOf(add.error);
  useUnsavedGuard(() => add.isPending, recoveryCodes);
  if (!canUsePasskeys()) return <Alert type="warning" showIcon title={NO_PASSKEYS} />;
  return (
    <Form<{ name: string }>
      layout="vertical"
      requiredMark={false}
      initialValues={{ name: deviceOf(navigator.userAgent) }}
      onFinish={({ name }) => {
        if (add.isPending) return;
        add.mutate(name.trim(), { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) });
      }}
    >
      <p className={styles['text']}>
        Your browser asks for your fingerprint, your face, a PIN or a security key. None of it leaves your
        device.
      </p>
      <Form.Item
        name="name"
        label="Name of the passkey"
        rules={[{ required: true, whitespace: true, message: 'Please input a name!' }]}
        extra="So that you know later which device it is on."
      >
        <Input autoFocus maxLength={64} autoComplete="off" />
      </Form.Item>
      {failure !== undefined && (
        <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failure} />
      )}
      <Button type="primary" htmlType="submit" block loading={add.isPending}>
        Add passkey
      </Button>
    </Form>
  );
}
