import { Alert, Button, Form, Input, QRCode, Skeleton } from 'antd';
import { useEffect } from 'react';
import { useConfirmTotp, useStartTotp } from '../../api/second-factor.ts';
import { CopyText } from '../../shared/CopyText.tsx';
import { failureOf } from '../../shared/message-of.ts';
import { useUnsavedGuard } from '../../shared/unsaved-changes.tsx';
import { recoveryCodes } from '../../shared/unsaved-forms.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Account.module.css';
import { totpAddress } from './totp-address.ts';

interface Props {
  username: string;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** The secret as a picture and as text, and the field for its first code. */
export function TotpSetUp({ username, onConfirmed }: Props) {
  const { service } = useWords();
  const { mutate: begin, data, isError, error } = useStartTotp();
  const confirm = useConfirmTotp();
  const failure = failureOf(confirm.error);
  useUnsavedGuard(() => confirm.isPending, recoveryCodes);
  useEffect(() => begin(), [begin]);

  if (isError)
    return (
      <Alert
        type="error"
        showIcon
        title={error.message}
        action={
          <Button size="small" onClick={() => begin()}>
            Try again
          </Button>
        }
      />
    );
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />;
  const { setup, secret } = data;
  return (
    <Form<{ code: string }>
      layout="vertical"
      requiredMark={false}
      onFinish={({ code }) => {
        if (confirm.isPending) return;
        confirm.mutate({ setup, code }, { onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes) });
      }}
    >
      <p className={styles['text']}>
        Scan this picture with your authenticator app, or type the key into it.
      </p>
      {/* White also in the dark scheme: cameras need dark squares on a light ground. */}
      <div className={styles['picture']}>
        <QRCode
          type="svg"
          value={totpAddress(service, username, secret)}
          color="#000"
          bgColor="#fff"
          aria-label="QR code with the key below"
        />
      </div>
      <p className={styles['key']}>
        <CopyText text={secret} />
      </p>
      <Form.Item
        name="code"
        label="Code of the app"
        rules={[{ required: true, whitespace: true, message: 'Please input your code!' }]}
      >
        <Input autoComplete="one-time-code" inputMode="numeric" autoFocus maxLength={10} />
      </Form.Item>
      {failure !== undefined && (
        <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failure} />
      )}
      <Button type="primary" htmlType="submit" block loading={confirm.isPending}>
        Confirm
      </Button>
    </Form>
  );
}
