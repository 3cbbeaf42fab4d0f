import type { Kapsule } from '@kaptain/contract/kapsules';
import { Modal, Skeleton } from 'antd';
import { useLoadScript } from '../../api/granules.ts';
import { CodeBlock } from '../../shared/CodeBlock.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { PageLink } from '../../shared/PageLink.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';

/** The ready load script of a kapsule, to be copied. */
export function LoadScriptDialog({ dialog, kapsule }: { dialog: Dialog<true>; kapsule: Kapsule }) {
  const { platform, granule } = useWords();
  const { data, error, refetch } = useLoadScript(kapsule._id);
  return (
    <Modal
      open={dialog.isOpen}
      title={`Use ${kapsule.name} in ${platform}`}
      footer={null}
      onCancel={dialog.close}
      afterClose={dialog.forget}
      width={750}
    >
      <p className={styles['lead']}>
        {`Paste this load script into your app. It loads the ${granule.many} and, as its last part, confirms them: then they are shown as reloaded here. It needs two REST connections that hold an `}
        <PageLink to="/data/apikey">API key</PageLink>; the script says how to create them.
      </p>
      {data !== undefined && <CodeBlock label="Load script" text={data} />}
      {error && (
        <ErrorPanel
          title="The load script could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
    </Modal>
  );
}
