import type { Passkey } from '@kaptain/contract/passkeys';
import { App, Form, Input } from 'antd';
import { useRenamePasskey } from '../../api/second-factor.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { failureOf } from '../../shared/message-of.ts';
import type { Dialog } from '../../shared/use-dialog.ts';

interface Values {
  name: string;
}

export function PasskeyNameDialog({ passkey, dialog }: { passkey: Passkey; dialog: Dialog<Passkey> }) {
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const rename = useRenamePasskey();
  return (
    <FormDialog<Values>
      title="Rename passkey"
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={{ name: passkey.name }}
      isSaving={rename.isPending}
      failure={failureOf(rename.error)}
      onSave={({ name }) =>
        rename.mutate(
          { id: passkey._id, name: name.trim() },
          {
            onSuccess: () => {
              dialog.close();
              void message.success('The passkey is renamed.');
            },
          },
        )
      }
    >
      <Form.Item<Values>
        name="name"
        label="Name of the passkey"
        rules={[{ required: true, whitespace: true, message: 'Please input a name!' }]}
      >
        <Input maxLength={64} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}
