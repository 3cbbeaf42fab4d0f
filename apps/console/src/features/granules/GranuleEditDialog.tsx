import { isThread } from '@kaptain/contract/fields';
import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { ownValue } from '@kaptain/contract/own-value';
import { App, Form } from 'antd';
import { useState } from 'react';
import { useSaveGranule } from '../../api/granules.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { ruled } from '../../shared/fields/ruled-field.ts';
import { failureOf } from '../../shared/message-of.ts';
import { refusedValues } from '../../shared/refused-values.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { conflictAdvice, type StoredInstead, storedInstead } from './edit-conflict.ts';
import { editedText, editedValue } from './edit-values.ts';
import { GranuleField, type Texts } from './GranuleField.tsx';
import { dataOf } from './granule-data.ts';

interface Props {
  dialog: Dialog<Granule>;
  granule: Granule;
  kapsule: Kapsule;
  onSaved?: () => void;
}

/**
 * Edits the fields of one granule. A version that another user has replaced meanwhile is refused, as in the data API; another Save
 * stores the edited fields in place of what the user was told is there.
 */
export function GranuleEditDialog({ dialog, granule, kapsule, onSaved }: Props) {
  const words = useWords();
  const { message } = App.useApp();
  const [form] = Form.useForm<Texts>();
  const save = useSaveGranule(kapsule._id);
  const [stored, setStored] = useState<StoredInstead>();
  const before = dataOf(granule);
  const { key } = granule;
  // A save changes no thread.
  const edited = kapsule.fields
    .filter(({ type }) => !isThread(type))
    .map((field, index) => ({ field: ruled(field), before: ownValue(before, field.name), index }));
  const fields = edited.map(({ field }) => field);
  const indexOf = (name: string | undefined) => edited.find(({ field }) => field.name === name);

  /** Shows refusals at their controls. */
  const showRefused = (error: unknown) => {
    const errors = refusedValues(error).flatMap(({ field, message: text }) => {
      const index = indexOf(field)?.index;
      return index === undefined ? [] : [{ name: String(index), errors: [text] }];
    });
    form.setFields(errors);
    const [first] = errors;
    if (first) form.scrollToField(first.name, { focus: true });
  };

  const store = (texts: Texts) => {
    const changed = edited.flatMap((one) => {
      const text = texts[one.index] ?? '';
      return text === editedText(one.field, one.before)
        ? []
        : [[one.field.name, editedValue(one, text)] as const];
    });
    const data = { ...(stored?.data ?? before), ...Object.fromEntries(changed) };
    save.mutate(
      { key: key ?? '', data, version: stored?.version ?? granule.version },
      {
        onError: (error) => {
          setStored(storedInstead(error) ?? stored);
          showRefused(error);
        },
        onSuccess: () => {
          void message.success(`${key} is saved.`);
          dialog.close();
          onSaved?.();
        },
      },
    );
  };

  const advice = storedInstead(save.error) && stored ? ` ${conflictAdvice(before, stored, fields)}` : '';
  const isAtControls = refusedValues(save.error).some(({ field }) => indexOf(field));
  const reason = isAtControls ? undefined : failureOf(save.error);
  const failure = reason && `${reason}${advice}`;

  return (
    <FormDialog<Texts>
      title={`Edit ${words.granule.one} ${key}`}
      okText="Save"
      form={form}
      initialValues={Object.fromEntries(
        edited.map(({ field, before: value, index }) => [index, editedText(field, value)]),
      )}
      onSave={store}
      isSaving={save.isPending}
      failure={failure}
      dialog={dialog}
    >
      {edited.map((one) => (
        <GranuleField
          key={one.field.name}
          kapsuleId={kapsule._id}
          edited={one}
          index={one.index}
          other={indexOf(one.field.choicesBy?.field)}
        />
      ))}
    </FormDialog>
  );
}
