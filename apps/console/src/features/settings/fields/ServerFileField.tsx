import { generic } from '@kaptain/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import { useEffect } from 'react';
import { type ServerFile, useHasFile, useUploadFile } from '../../../api/settings.ts';
import { UploadField } from './UploadField.tsx';

interface Props {
  file: ServerFile;
  label: string;
  ending: '.pem' | '.pfx';
}

/** One of the service's own certificate files, known by its fixed name. */
export function ServerFileField({ file, label, ending }: Props) {
  const form = Form.useFormInstance();
  const queries = useQueryClient();
  const has = useHasFile(file);
  const send = useUploadFile(file);
  const name = ['temporary', 'files', file];

  // The rule below reads the form, so that the form has to know whether the service has the file.
  useEffect(() => {
    if (has.data === true) form.setFieldValue(['temporary', 'files', file], file);
  }, [form, file, has.data]);

  const upload = async (chosen: File) => {
    await send.mutateAsync(chosen);
    queries.setQueryData(['settings', 'file', file], true);
    form.setFieldValue(['temporary', 'newFiles', file], chosen.name);
    form.setFieldValue(name, file);
    await form.validateFields([name]).catch(() => undefined);
  };

  return (
    <Form.Item
      name={name}
      label={label}
      required
      rules={[{ required: true, message: generic('required', { label }) }]}
    >
      <UploadField
        label={label}
        ending={ending}
        fileName={has.data ? file : ''}
        exists={has.data}
        isBusy={send.isPending}
        upload={upload}
      />
    </Form.Item>
  );
}
