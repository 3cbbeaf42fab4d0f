import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { App } from 'antd';
import { isRestorable, useFetchDeleted } from '../../api/deleted-kapsules.ts';
import { useRemoveKapsules } from '../../api/kapsules.ts';
import { messageOf } from '../../shared/message-of.ts';
import { useWords } from '../../variants/use-variant.ts';
import { type DeleteChoice, DeleteQuestion } from './DeleteQuestion.tsx';
import { nameToType } from './delete-rules.ts';
import { refusedNames } from './refused-names.ts';

/** Asks for confirmation, deletes, and lists the kapsules that the service refuses to delete. */
export function useDeleteKapsules(
  me: SessionUser,
): (kapsules: readonly Kapsule[], onDone?: () => void) => void {
  const { modal, message } = App.useApp();
  const { kapsule } = useWords();
  const remove = useRemoveKapsules();
  const fetchDeleted = useFetchDeleted();

  const showFailure = (text: string) => {
    const names = refusedNames(text);
    modal.error({
      title: 'Failed To Delete',
      okText: 'Close',
      content: names ? (
        <>
          <p>{`You lack the delete permission for these ${kapsule.many}. Nothing was deleted.`}</p>
          <ul>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      ) : (
        text
      ),
    });
  };

  return (kapsules, onDone) => {
    const [only] = kapsules;
    if (!only) return;
    const what = kapsules.length === 1 ? only.name : `${kapsules.length} ${kapsule.many}`;
    let choice: DeleteChoice = {
      deleteTable: false,
      dropNow: false,
      isConfirmed: nameToType(kapsules, me.role) === undefined,
    };
    const deleteThem = async () => {
      try {
        const { deleteTable, dropNow } = choice;
        await remove.mutateAsync({
          kapsuleIds: kapsules.map(({ _id }) => _id),
          deleteTable,
          // Spec 7 names only the other two.
          ...(deleteTable && dropNow && { dropNow }),
        });
        onDone?.();
        if (kapsules.every(isRestorable)) void fetchDeleted();
        void message.success(kapsules.length === 1 ? `${what} is deleted.` : `${what} are deleted.`);
      } catch (error) {
        showFailure(messageOf(error));
      }
    };
    let deleting: Promise<void> | undefined;
    // Yes and Enter send one request together.
    const deleteOnce = () => (deleting ??= deleteThem());
    const deleteByEnter = async () => {
      question.update({ okButtonProps: { danger: true, loading: true } });
      await deleteOnce();
      question.destroy();
    };
    const question = modal.confirm({
      title: `Are you sure to delete ${what}?`,
      width: 480,
      content: (
        <DeleteQuestion
          me={me}
          kapsules={kapsules}
          isRestorable={kapsules.every(isRestorable)}
          onChange={(next) => {
            choice = next;
            question.update({ okButtonProps: { danger: true, disabled: !next.isConfirmed } });
          }}
          onEnter={() => void deleteByEnter()}
        />
      ),
      okText: 'Yes',
      cancelText: 'Cancel',
      okButtonProps: { danger: true, disabled: !choice.isConfirmed },
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => deleteOnce(),
    });
  };
}
