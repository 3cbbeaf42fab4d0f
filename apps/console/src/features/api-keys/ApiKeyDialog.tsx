import { CopyOutlined, ThunderboltOutlined } from '@ant-design/icons';
import { limits } from '@kaptain/contract/limits';
import { messages } from '@kaptain/contract/messages';
import type { Authority } from '@kaptain/contract/vocabulary';
import { App, Button, Form, Input, Select } from 'antd';
import { type NewApiKey, useCreateApiKey, useGenerateApiKey } from '../../api/api-keys.ts';
import { useAuthorities } from '../../api/authorities.ts';
import { useKapsules } from '../../api/kapsules.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { failureOf } from '../../shared/message-of.ts';
import { NamesSelect } from '../../shared/NamesSelect.tsx';
import { useCopy } from '../../shared/use-copy.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './ApiKeys.module.css';
import { expiries, expiryOf } from './expiry.ts';
import { KeyArea } from './KeyArea.tsx';
import { effectsFor, rightOf } from './key-authority.ts';

interface Values extends Pick<NewApiKey, 'name' | 'apikey'> {
  expires: string;
  kapsuleIds: string[];
  authority: Authority;
}

const Field = Form.Item<Values>;

export function ApiKeyDialog({ dialog }: { dialog: Dialog<'new'> }) {
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const copy = useCopy();
  const create = useCreateApiKey();
  const generate = useGenerateApiKey();
  const words = useWords();
  const kapsules = useKapsules();
  const authorities = useAuthorities();
  const names = new Map(kapsules.data?.map(({ _id, name }) => [_id, name]));
  const key = Form.useWatch('apikey', form) ?? '';

  return (
    <FormDialog<Values>
      title="Create Api Key"
      okText="Create"
      form={form}
      dialog={dialog}
      initialValues={{ name: '', apikey: '', expires: 'never', kapsuleIds: [], authority: 'WRITE' }}
      isSaving={create.isPending}
      // Spec 8: the server's message.
      failure={failureOf(create.error ?? generate.error)}
      onSave={({ name, apikey, expires, kapsuleIds, authority }) =>
        create.mutate(
          {
            name: name.trim(),
            apikey: apikey.trim(),
            ...(expires !== 'never' && { expiresAt: expiryOf(expires, Date.now()) }),
            ...(kapsuleIds.length > 0 && { kapsuleIds }),
            ...rightOf(authority, authorities),
          },
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
          onClick={() => {
            // The last refusal was about the key that is replaced now.
            create.reset();
            generate.mutate(undefined, {
              onSuccess: (apikey) => {
                form.setFields([{ name: 'apikey', value: apikey, touched: true, errors: [] }]);
              },
            });
          }}
        >
          Generate
        </Button>
        <Button icon={<CopyOutlined aria-hidden />} disabled={key === ''} onClick={() => void copy(key)}>
          Copy
        </Button>
      </div>
      <Field name="expires" label="Expires">
        <Select options={expiries} />
      </Field>
      <Field
        name="kapsuleIds"
        label={words.kapsule.Many}
        extra={`Without a choice the key opens all ${words.kapsule.many} and may create others.`}
      >
        <NamesSelect names={names} isLoading={kapsules.isPending} noun={words.kapsule} />
      </Field>
      <Field name="authority" label="The key may" extra="A load script needs only reading.">
        <Select options={effectsFor(words, authorities)} />
      </Field>
    </FormDialog>
  );
}
