import { Button, Modal } from 'antd';
import { RefusalSummary } from '../../../shared/RefusalSummary.tsx';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { countText } from '../changed-text.ts';
import type { Checked } from './checked-change.ts';

interface Props {
  dialog: Dialog<Checked>;
  checked: Checked;
  onSave: (change: Checked['change']) => void;
}

const values = { one: 'stored value', many: 'stored values' };

/** Tells which stored values break the new rules before they are saved. */
export function CheckDialog({ dialog, checked, onSave }: Props) {
  const { granule } = useWords();
  const { found, change } = checked;
  const failed = 'failure' in found;
  return (
    <Modal
      open={dialog.isOpen}
      title={
        failed ? 'The stored values could not be checked' : `${countText(found.count, values)} would not fit`
      }
      width={640}
      mask={{ closable: false }}
      onCancel={dialog.close}
      afterClose={dialog.forget}
      footer={[
        <Button key="back" autoFocus onClick={dialog.close}>
          Back
        </Button>,
        <Button key="save" type="primary" onClick={() => onSave(change)}>
          Save all the same
        </Button>,
      ]}
    >
      {failed ? (
        <p>{found.failure}</p>
      ) : (
        <>
          <p>
            {`In ${countText(found.granules, granule)}. They stay as they are, readable and marked; a change of one must follow the rules.`}
          </p>
          <RefusalSummary rules={found.rules} first={found.first} fields={change.fields} />
        </>
      )}
    </Modal>
  );
}
