import { DeleteOutlined, EyeOutlined } from '@ant-design/icons';
import { foldName } from '@kaptain/contract/folding';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { App, Button, Input, Modal } from 'antd';
import { type SubmitEvent, useState } from 'react';
import { type KapsuleView, useRemoveView, useSaveView, useViews } from '../../api/views.ts';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { IconAction } from '../../shared/IconAction.tsx';
import { messageOf } from '../../shared/message-of.ts';
import { useConfirm } from '../../shared/use-confirm.tsx';
import styles from './FieldFilters.module.css';
import type { GranuleState } from './granule-state.ts';
import { viewQuery, viewState } from './view-query.ts';

interface Props {
  kapsule: Kapsule;
  /** The service is known to have our extras. */
  hasExtras: boolean;
  state: GranuleState;
  onRefine: (values: Partial<GranuleState>) => void;
}

const LOST = 'Its search, filters and order are lost.';

/** The views that the user has saved of this kapsule: show one, save the present one, delete one. */
export function SavedViews({ kapsule, hasExtras, state, onRefine }: Props) {
  const { message } = App.useApp();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const views = useViews(kapsule._id, { enabled: hasExtras && isOpen });
  const save = useSaveView(kapsule._id);
  const remove = useRemoveView(kapsule._id);
  const confirm = useConfirm();

  const show = ({ query }: KapsuleView) => {
    onRefine(viewState(query));
    setOpen(false);
  };
  const keep = async (event: SubmitEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === '' || save.isPending) return;
    // Without the list it is unknown whether a view would be replaced; the dialog says why it is missing.
    const listed = views.data ?? (await views.refetch()).data;
    if (!listed) return;
    const done = `The view ${trimmed} is saved.`;
    const run = async () => {
      await save.mutateAsync({ name: trimmed, query: viewQuery(state) });
      setName('');
    };
    // The service replaces a view whose name is the same when folded.
    const replaced = listed.find((view) => foldName(view.name) === foldName(trimmed));
    if (replaced) return confirm({ title: `Replace the view ${replaced.name}?`, content: LOST, done, run });
    try {
      await run();
      void message.success(done);
    } catch (error) {
      void message.error(messageOf(error));
    }
  };

  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<EyeOutlined aria-hidden="true" />}
        aria-haspopup="dialog"
        disabled={!hasExtras}
        onClick={() => setOpen(true)}
      >
        Views
      </Button>
      <Modal open={isOpen} title="Saved views" width={480} footer={null} onCancel={() => setOpen(false)}>
        {views.isError && (
          <ErrorPanel
            title="The views could not be loaded"
            error={views.error}
            onRetry={() => void views.refetch()}
          />
        )}
        {views.data?.length === 0 && (
          <p className={styles['hint']}>
            A view keeps search, filters and order under a name, for you alone.
          </p>
        )}
        <ul className={styles['views']} aria-label="Saved views">
          {views.data?.map((view) => (
            <li key={view._id} className={styles['view']}>
              <Button type="link" onClick={() => show(view)}>
                {view.name}
              </Button>
              <IconAction
                title="Delete"
                label={`Delete the view ${view.name}`}
                icon={<DeleteOutlined aria-hidden="true" />}
                danger
                onClick={() =>
                  confirm({
                    title: `Are you sure to delete the view ${view.name}?`,
                    content: LOST,
                    done: `The view ${view.name} is deleted.`,
                    run: () => remove.mutateAsync(view._id),
                  })
                }
              />
            </li>
          ))}
        </ul>
        <form className={styles['save']} onSubmit={(event) => void keep(event)}>
          <Input
            aria-label="Name of the present view"
            placeholder="Name of the present view"
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Button htmlType="submit" type="primary" disabled={name.trim() === ''} loading={save.isPending}>
            Save
          </Button>
        </form>
      </Modal>
    </>
  );
}
