import { messages } from '@kaptain/contract/messages';
import { Alert, App, Button, Form, Input } from 'antd';
import { useChangePassword } from '../../api/account.ts';
import { failureOf } from '../../shared/message-of.ts';
import { confirmationProblem, passwordProblem } from '../../shared/password-rules.ts';
import { useUnsavedGuard } from '../../shared/unsaved-changes.tsx';
import styles from './Account.module.css';

interface Values {
  currentPassword: string;
  newPassword: string;
  again: string;
}
const Field = Form.Item<Values>;

const check = async (problem: string | undefined) => {
  if (problem !== undefined) throw new Error(problem);
};

export function PasswordForm({ username }: { username: string }) {
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const change = useChangePassword();
  const failure = failureOf(change.error);
  // The current password alone does not count, because browsers fill it in by themselves.
  useUnsavedGuard(() => Boolean(form.getFieldValue('newPassword') || form.getFieldValue('again')));
  const save = ({ currentPassword, newPassword }: Values) => {
    if (change.isPending) return;
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          form.resetFields();
          void message.success('Your password is changed. All other sessions are ended.');
        },
      },
    );
  };

  return (
    <section className={styles['card']} aria-labelledby="own-password">
      <h2 id="own-password">Change password</h2>
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        scrollToFirstError={{ focus: true }}
        onFinish={save}
      >
        {/* Tells password managers the account of this password. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Field
          name="currentPassword"
          label="Current password"
          rules={[{ required: true, message: messages.passwordRequired }]}
        >
          <Input.Password autoComplete="current-password" />
        </Field>
        <Field
          name="newPassword"
          label="New password"
          rules={[{ validator: async (_, password = '') => check(passwordProblem(password)) }]}
          extra="All your other sessions end."
        >
          <Input.Password autoComplete="new-password" />
        </Field>
        <Field
          name="again"
          label="New password again"
          dependencies={['newPassword']}
          rules={[
            ({ getFieldValue }) => ({
              validator: async (_, again = '') =>
                check(confirmationProblem(again, getFieldValue('newPassword'))),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Field>
        {failure !== undefined && (
          <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failure} />
        )}
        <Button type="primary" htmlType="submit" loading={change.isPending}>
          Change password
        </Button>
      </Form>
    </section>
  );
}
