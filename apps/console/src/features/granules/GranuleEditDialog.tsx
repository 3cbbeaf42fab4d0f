import { fieldTypeNamed, isThread } from '@kaptain/contract/fields';
import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { ownValue } from '@kaptain/contract/own-value';
import { App, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { useSaveGranule } from '../../api/granules.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { failureOf } from '../../shared/message-of.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { conflictAdvice, type StoredInstead, storedInstead } from './edit-conflict.ts';
import { editedText, editedValue, editProblem } from './edit-values.ts';
import styles from './Granules.module.css';
import { dataOf } from './granule-data.ts';

interface Props {
  dialog: Dialog<Granule>;
  granule: Granule;
  kapsule: Kapsule;
}

/** Names of fields may contain any character, so the form knows them by their place. */
type Texts = Record<string, string | undefined>;
const answers = ['true', 'false'].map((value) => ({ value, label: value === 'true' ? 'Yes' : 'No' }));

/**
 * Edits the fields of one granule. A version that another user has replaced meanwhile is refused, as in the data API; another Save
 * stores the edited fields in place of what the user was told is there.
 */
export function GranuleEditDialog({ dialog, granule, kapsule }: Props) {
  const words = useWords();
  const { message } = App.useApp();
  const [form] = Form.useForm<Texts>();
  const save = useSaveGranule(kapsule._id);
  const [stored, setStored] = useState<StoredInstead>();
  const before = dataOf(granule);
  const { key } = granule;
  // A save changes no thread.
  const fields = kapsule.fields.filter(({ type }) => !isThread(type));

  const store = (texts: Texts) => {
    const changed = fields.flatMap(({ name, type }, index) => {
      const text = texts[index] ?? '';
      return text === editedText(ownValue(before, name))
        ? []
        : [[name, editedValue(type, text, ownValue(before, name))] as const];
    });
    const data = { ...(stored?.data ?? before), ...Object.fromEntries(changed) };
    save.mutate(
      { key: key ?? '', data, version: stored?.version ?? granule.version },
      {
        onError: (error) => setStored(storedInstead(error) ?? stored),
        onSuccess: () => {
          void message.success(`${key} is saved.`);
          dialog.close();
        },
      },
    );
  };

  const advice = storedInstead(save.error) && stored ? ` ${conflictAdvice(before, stored, fields)}` : '';
  const reason = failureOf(save.error);
  const failure = reason && `${reason}${advice}`;

  return (
    <FormDialog<Texts>
      title={`Edit ${words.granule.one} ${key}`}
      okText="Save"
      form={form}
      initialValues={Object.fromEntries(
        // No text at all where there is no value: a select would show an empty choice.
        fields.map(({ name }, index) => [index, editedText(ownValue(before, name)) || undefined]),
      )}
      onSave={store}
      isSaving={save.isPending}
      failure={failure}
      dialog={dialog}
    >
      {fields.map(({ name, type }, index) => (
        <Form.Item
          key={name}
          name={String(index)}
          label={name}
          rules={[
            {
              validator: async (_, text: string | undefined) => {
                const problem = editProblem(name, type, text ?? '', ownValue(before, name));
                if (problem !== undefined) throw new Error(problem);
              },
            },
          ]}
        >
          {fieldTypeNamed(type).enteredAs === 'answer' ? (
            <Select allowClear options={answers} placeholder="Not set" />
          ) : fieldTypeNamed(type).enteredAs === 'text' ? (
            // CSS grows it with its text: antd's way sets style attributes, which the content security policy refuses.
            <Input.TextArea className={styles['text'] ?? ''} rows={1} />
          ) : (
            <Input />
          )}
        </Form.Item>
      ))}
    </FormDialog>
  );
}
