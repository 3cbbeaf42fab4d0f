import { Alert, Button } from 'antd';
import type { Proposing } from '../../api/proposals.ts';
import { ChosenFiles } from '../../shared/ChosenFiles.tsx';
import { FileDrop } from '../../shared/FileDrop.tsx';
import { ProposalSummary } from '../../shared/kapsule-form/ProposalSummary.tsx';
import { UploadProgress } from '../../shared/UploadProgress.tsx';
import styles from './Origin.module.css';

interface Props {
  state: Proposing;
  onChoose: (file: File) => void;
  onForget: () => void;
}

/** A QVD file whose structure is proposed. */
export function FileOrigin({ state, onChoose, onForget }: Props) {
  if (state.name === 'reading')
    return (
      <div className={styles['origin']}>
        <UploadProgress files={[state.file]} sent={state.sent} />
        <p role="status">
          {state.sent < state.file.size ? 'Sending the file…' : 'The service is looking into the file…'}
        </p>
        <Button onClick={onForget}>Cancel the upload</Button>
      </div>
    );
  if (state.name === 'proposed')
    return (
      <div className={styles['origin']}>
        <ChosenFiles files={[state.file]} onRemove={onForget} />
        <ProposalSummary proposal={state.proposal} of="file" />
      </div>
    );
  return (
    <div className={styles['origin']}>
      <FileDrop
        ending=".qvd"
        max={1}
        label="Choose a .qvd file, or drop it here"
        hint="Fields, types and key are proposed. Nothing is stored before you press Create."
        files={[]}
        onChange={([file]) => file && onChoose(file)}
      />
      {state.name === 'failed' && <Alert type="error" showIcon title={state.failure} />}
    </div>
  );
}
