import type { Kapsule } from '@kaptain/contract/kapsules';
import type { StructureProposal } from '@kaptain/contract/proposals';
import { App, Form, type FormInstance } from 'antd';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../FormDialog.tsx';
import type { Dialog } from '../use-dialog.ts';
import type { ChoiceSources } from './choice-sources.ts';
import { KapsuleFormFields } from './KapsuleFormFields.tsx';
import { type KapsuleValues, newKapsule, structureOf } from './kapsule-values.ts';

interface Props {
  title: string;
  dialog: Pick<Dialog<unknown>, 'isOpen' | 'close' | 'forget'>;
  /** For a dialog that changes the values by itself. */
  form?: FormInstance<KapsuleValues>;
  /** Undefined while they are loading. */
  initialValues: KapsuleValues | undefined;
  databases: readonly string[];
  sources: ChoiceSources;
  /** Of the file or table for which the values are proposed. */
  columns?: StructureProposal['columns'] | undefined;
  /** There is nothing to create yet. */
  isWaiting?: boolean;
  isSaving: boolean;
  failure: string | undefined;
  onSave: (structure: ReturnType<typeof structureOf>, onSuccess: (made: Kapsule) => void) => void;
  onCreated?: (made: Kapsule) => void;
  /** Above the values. */
  children?: ReactNode;
}

/** Creates a kapsule, then shows it. */
export function NewKapsuleDialog(props: Props) {
  const { title, dialog, initialValues, isWaiting = false, isSaving, failure } = props;
  const [ownForm] = Form.useForm<KapsuleValues>();
  const form = props.form ?? ownForm;
  const { message } = App.useApp();
  const navigate = useNavigate();

  const create = () =>
    props.onSave(
      // With the rules that are not open, which have no control in the form.
      structureOf({ ...newKapsule, ...(form.getFieldsValue(true) as KapsuleValues) }),
      (made) => {
        dialog.close();
        // Nothing is unsaved any more, so that leaving the page asks no question.
        form.resetFields();
        props.onCreated?.(made);
        void message.success(`${made.name} is created.`);
        void navigate(`/data/kapsules/${encodeURIComponent(made._id)}`);
      },
    );

  if (!initialValues) return null;
  return (
    <FormDialog<KapsuleValues>
      title={title}
      okText="Create"
      form={form}
      dialog={dialog}
      width={720}
      initialValues={initialValues}
      isWaiting={isWaiting}
      isSaving={isSaving}
      failure={failure}
      onSave={create}
    >
      {props.children}
      {!isWaiting && (
        <KapsuleFormFields databases={props.databases} sources={props.sources} columns={props.columns} />
      )}
    </FormDialog>
  );
}
