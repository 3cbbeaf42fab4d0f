import type { StructureProposal } from '@kaptain/contract/proposals';
import { Form, Segmented } from 'antd';
import { useState } from 'react';
import { useKapsules } from '../../api/kapsules.ts';
import { useQvdProposal } from '../../api/proposals.ts';
import { useNewKapsule } from '../../api/use-new-kapsule.ts';
import { handOverFiles } from '../../shared/hand-over-files.ts';
import { type KapsuleValues, newKapsule } from '../../shared/kapsule-form/kapsule-values.ts';
import { NewKapsuleDialog } from '../../shared/kapsule-form/NewKapsuleDialog.tsx';
import { proposedValues } from '../../shared/kapsule-form/proposed-values.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { FileOrigin } from './FileOrigin.tsx';
import styles from './Origin.module.css';

const origins = [
  { value: 'nothing', label: 'Empty' },
  { value: 'file', label: 'From a QVD file' },
];

/** Creates a kapsule of nothing, or as it is proposed for a file, which the page of the kapsule then offers to import. */
export function CreateDialog({ dialog }: { dialog: Dialog<true> }) {
  const { kapsule } = useWords();
  const [form] = Form.useForm<KapsuleValues>();
  const { data: known = [] } = useKapsules();
  const [origin, setOrigin] = useState('nothing');
  const show = (proposal: StructureProposal) => form.setFieldsValue(proposedValues(proposal, known));
  const { state, propose, forget } = useQvdProposal(show);
  const isFile = origin === 'file';
  const isProposed = isFile && state.name === 'proposed';

  const choose = (next: string) => {
    forget();
    form.resetFields();
    setOrigin(next);
  };
  return (
    <NewKapsuleDialog
      {...useNewKapsule()}
      title={`Create ${kapsule.one}`}
      dialog={dialog}
      form={form}
      initialValues={newKapsule}
      columns={isProposed ? state.proposal.columns : undefined}
      isWaiting={isFile && !isProposed}
      onCreated={({ _id }) => {
        if (isProposed && state.proposal.rows > 0) handOverFiles(_id, [state.file]);
      }}
    >
      <Segmented
        className={styles['choice'] ?? ''}
        aria-label="Begin with"
        options={origins}
        value={origin}
        onChange={choose}
      />
      {isFile && (
        <FileOrigin
          state={state}
          onChoose={(file) => void propose(file)}
          onForget={() => {
            forget();
            form.resetFields();
          }}
        />
      )}
    </NewKapsuleDialog>
  );
}
