import type { Generation } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { Drawer, Skeleton } from 'antd';
import { useGenerations } from '../../../api/settings.ts';
import { EmptyState } from '../../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../../shared/ErrorPanel.tsx';
import { useDialog } from '../../../shared/use-dialog.ts';
import type { Apply } from '../use-apply.ts';
import styles from './Extras.module.css';
import { GenerationEntry } from './GenerationEntry.tsx';
import { ReturnDialog } from './ReturnDialog.tsx';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  info: SettingsInfo;
  apply: Apply;
  onReload: () => void;
}

/** The saved states, newest first, each with a button that returns to it. */
export function HistoryDrawer({ isOpen, onClose, info, apply, onReload }: Props) {
  const query = useGenerations({ enabled: isOpen });
  const returning = useDialog<Generation>();
  return (
    <Drawer title="History of the settings" open={isOpen} onClose={onClose} size={560}>
      {query.isPending && <Skeleton active paragraph={{ rows: 8 }} aria-busy="true" />}
      {query.isError && (
        <ErrorPanel
          title="The history could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data?.length === 0 && (
        <EmptyState title="Nothing was saved yet">Every saved state of the settings appears here.</EmptyState>
      )}
      <ol className={styles['history']} aria-label="Saved settings, newest first">
        {query.data?.map((generation) => (
          <GenerationEntry
            key={generation.generation}
            entry={generation}
            onReturn={() => returning.open(generation)}
          />
        ))}
      </ol>
      {returning.about && (
        <ReturnDialog
          dialog={returning}
          about={returning.about}
          info={info}
          onReload={onReload}
          onStored={(https) => {
            onClose();
            void apply.run(https);
          }}
        />
      )}
    </Drawer>
  );
}
