import { generic } from '@kaptain/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import { useHasFile, useUploadFile } from '../../../api/settings.ts';
import { textOf } from '../paths.ts';
import { UploadField } from './UploadField.tsx';

interface Props {
  path: string[];
  label: string;
}

/** The file name of a path, which may have either kind of slash. */
const baseName = (path: string) => path.split(/[\\/]/).at(-1) ?? '';

/** Shortens the content hash by which our service names files to what tells two files apart. */
const shownName = (name: string) => name.replace(/^([0-9a-f]{8})[0-9a-f]{24}-(.+)$/, '$2 ($1)');

/** A .pem file for the platform connection; the settings have the path that the service returns for it. */
export function PlatformFileField({ path, label }: Props) {
  const form = Form.useFormInstance();
  const queries = useQueryClient();
  const stored = baseName(textOf(Form.useWatch<unknown>(path, form)));
  const has = useHasFile(stored);
  const send = useUploadFile('platform');

  const upload = async (chosen: File) => {
    const uploaded = await send.mutateAsync(chosen);
    queries.setQueryData(['settings', 'file', baseName(uploaded)], true);
    form.setFieldValue(path, uploaded);
    await form.validateFields([path]).catch(() => undefined);
  };

  return (
    <Form.Item
      name={path}
      label={label}
      required
      rules={[{ required: true, message: generic('required', { label }) }]}
    >
      <UploadField
        label={label}
        ending=".pem"
        fileName={shownName(stored)}
        exists={stored === '' ? false : has.data}
        isBusy={send.isPending}
        upload={upload}
      />
    </Form.Item>
  );
}
