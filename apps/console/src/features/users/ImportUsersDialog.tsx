import type { User } from '@kaptain/contract/users';
import { Alert, Button, Modal, Progress } from 'antd';
import { useState } from 'react';
import { useGroups } from '../../api/groups.ts';
import { FileDrop } from '../../shared/FileDrop.tsx';
import { ResultList } from '../../shared/ResultList.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { ImportPreview } from './ImportPreview.tsx';
import { columns, type ImportedUser, importedUsers } from './imported-users.ts';
import { useImportUsers } from './use-import-users.ts';

interface Props {
  dialog: Dialog<true>;
  users: readonly User[];
}

const FORMAT = `Columns: ${columns.join(', ')}. Groups are separated by |.`;

/** Creates many users from a CSV file: choose, preview, create, see the result of each. */
export function ImportUsersDialog({ dialog, users }: Props) {
  const { platform } = useWords();
  const groups = useGroups();
  const importing = useImportUsers();
  const [rows, setRows] = useState<readonly ImportedUser[]>();
  const [refusal, setRefusal] = useState('');

  const read = async ([file]: readonly File[]) => {
    if (!file) return;
    const found = importedUsers(await file.text(), { users, groups: groups.data ?? [], platform });
    setRefusal(found.refusal ?? '');
    setRows(found.refusal === undefined ? found.users : undefined);
  };
  const good = rows?.filter(({ problems }) => problems.length === 0) ?? [];
  const { results, isRunning, start, stop } = importing;
  const isDone = results.length > 0 && !isRunning;
  const what = `${good.length} ${good.length === 1 ? 'user' : 'users'}`;

  return (
    <Modal
      open={dialog.isOpen}
      title={isDone ? 'Import results' : 'Import users from CSV'}
      width={750}
      mask={{ closable: false }}
      afterClose={dialog.forget}
      onCancel={() => {
        if (!isRunning) dialog.close();
      }}
      footer={
        isDone ? (
          <Button onClick={dialog.close}>Close</Button>
        ) : (
          [
            <Button key="cancel" onClick={isRunning ? stop : dialog.close}>
              {isRunning ? 'Stop' : 'Cancel'}
            </Button>,
            <Button
              key="start"
              type="primary"
              disabled={good.length === 0}
              loading={isRunning}
              onClick={() => void start(good)}
            >
              {good.length === 0 ? 'Create users' : `Create ${what}`}
            </Button>,
          ]
        )
      }
    >
      {results.length === 0 && !isRunning && (
        <>
          <FileDrop
            ending=".csv"
            max={1}
            label="Choose a .csv file, or drop it here"
            hint={FORMAT}
            files={[]}
            onChange={(files) => void read(files)}
          />
          {refusal !== '' && <Alert type="error" showIcon title={refusal} />}
          {rows && <ImportPreview rows={rows} />}
        </>
      )}
      {isRunning && (
        <>
          <p role="status">{`${results.length} of ${what} done`}</p>
          <Progress
            percent={Math.floor((results.length / Math.max(1, good.length)) * 100)}
            aria-label="Progress of the import"
          />
        </>
      )}
      {isDone && (
        <ResultList
          label="Import results"
          results={results.map(({ username, failure }) => ({
            isGood: failure === undefined,
            text: failure === undefined ? `${username} is created.` : `${username}: ${failure}`,
          }))}
        />
      )}
    </Modal>
  );
}
