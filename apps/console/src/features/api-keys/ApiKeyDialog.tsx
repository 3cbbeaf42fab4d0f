import { CopyOutlined, ThunderboltOutlined } from '@ant-design/icons';
import { limits } from '@kaptain/contract/limits';
import { messages } from '@kaptain/contract/messages';
import { App, Button, Form, Input } from 'antd';
import { type NewApiKey, useCreateApiKey, useGenerateApiKey } from '../../api/api-keys.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { useCopy } from '../../shared/use-copy.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import styles from './ApiKeys.module.css';
import { KeyArea } from './KeyArea.tsx';

const Field = Form.Item<NewApiKey>;

export function ApiKeyDialog({ dialog }: { dialog: Dialog<'new'> }) {
  const [form] = Form.useForm<NewApiKey>();
  const { message } = App.useApp();
  const copy = useCopy();
  const create = useCreateApiKey();
  const generate = useGenerateApiKey();
  const key = Form.useWatch('apikey', form) ?? '';

  return (
    <FormDialog<NewApiKey>
      title="Create Api Key"
      okText="Create"
      form={form}
      dialog={dialog}
      initialValues={{ name: '', apikey: '' }}
      isSaving={create.isPending}
      // Spec 8: the server's message.
      failure={(create.error ?? generate.error)?.message}
      onSave={({ name, apikey }) =>
        create.mutate(
          { name: name.trim(), apikey: apikey.trim() },
          {
            onSuccess: () => {
              dialog.close();
              void message.success(`${name.trim()} is created.`);
            },
          },
        )
      }
    >
      <Field
        name="name"
        label="Name"
        rules={[{ required: true, whitespace: true, message: messages.apiKeyNameRequired }]}
      >
        <Input autoComplete="off" maxLength={limits.nameCharacters} />
      </Field>
      <Field
        name="apikey"
        label="API key"
        rules={[{ required: true, whitespace: true, message: messages.apiKeyRequired }]}
        extra="Copy it now: the whole key is shown only here, afterwards it is masked."
      >
        <KeyArea />
      </Field>
      <div className={styles['tools']}>
        <Button
          icon={<ThunderboltOutlined aria-hidden />}
          loading={generate.isPending}
          onClick={() =>
            generate.mutate(undefined, {
              onSuccess: (apikey) => {
                form.setFields([{ name: 'apikey', value: apikey, touched: true, errors: [] }]);
              },
            })
          }
        >
          Generate
        </Button>
        <Button icon={<CopyOutlined aria-hidden />} disabled={key === ''} onClick={() => void copy(key)}>
          Copy
        </Button>
      </div>
    </FormDialog>
  );
}
