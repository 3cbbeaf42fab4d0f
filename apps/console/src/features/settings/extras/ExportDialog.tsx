import { limits } from '@kaptain/contract/limits';
import { messages } from '@kaptain/contract/messages';
import { App, Form, Input, Radio } from 'antd';
import { useExportSettings } from '../../../api/settings.ts';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { failureOf } from '../../../shared/message-of.ts';
import { saveFile } from '../../../shared/save-file.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';

interface Values {
  secrets: 'without' | 'with';
  passphrase?: string;
}

/** The whole configuration as a file for another server. */
export function ExportDialog({ dialog }: { dialog: Dialog<true> }) {
  const { service } = useWords();
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const exporting = useExportSettings();
  const isWith = Form.useWatch('secrets', form) === 'with';

  return (
    <FormDialog<Values>
      title="Export the configuration"
      okText="Export"
      form={form}
      dialog={dialog}
      initialValues={{ secrets: 'without' }}
      isSaving={exporting.isPending}
      failure={failureOf(exporting.error)}
      onSave={({ secrets, passphrase = '' }) =>
        exporting.mutate(secrets === 'with' ? passphrase : '', {
          onSuccess: (file) => {
            const day = file.exportedAt.slice(0, 10);
            saveFile(`${service.toLowerCase()}-configuration-${day}.json`, JSON.stringify(file, null, 2));
            dialog.close();
            void message.success('The configuration is exported.');
          },
        })
      }
    >
      <Form.Item<Values> name="secrets" label="Passwords, keys and certificate files">
        <Radio.Group
          options={[
            { value: 'without', label: 'Leave them out' },
            { value: 'with', label: 'Include them, encrypted with a passphrase' },
          ]}
          vertical
        />
      </Form.Item>
      {isWith && (
        <Form.Item<Values>
          name="passphrase"
          label="Passphrase"
          rules={[
            { required: true },
            { min: limits.passwordMinCharacters, message: messages.passwordTooShort },
          ]}
          extra="Whoever imports the file has to enter it. It can’t be recovered."
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
      )}
    </FormDialog>
  );
}
