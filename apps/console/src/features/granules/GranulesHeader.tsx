import { CodeOutlined, ImportOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { Button, Tag } from 'antd';
import { Suspense } from 'react';
import { lazyPart } from '../../api/load-code.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';
import { mayChange } from './may-change.ts';

const LoadScriptDialog = lazyPart('LoadScriptDialog', () => import('./LoadScriptDialog.tsx'));
const ImportDialog = lazyPart('QvdImportDialog', () => import('./qvd-import/QvdImportDialog.tsx'));

interface Props {
  kapsule: Kapsule;
  me: SessionUser;
  hasExtras: boolean;
  onImported: () => void;
}

export function GranulesHeader({ kapsule, me, hasExtras, onImported }: Props) {
  const words = useWords();
  const script = useDialog<true>();
  const importing = useDialog<true>();
  const { name, table, keyField, database, authority } = kapsule;
  const mayImport = mayChange(me.role, authority);
  const facts = [
    ['Table', table],
    ['Key field', keyField],
  ].filter(([, value]) => value !== '');

  return (
    <>
      <PageHeader
        title={name}
        description={
          <span className={styles['facts']}>
            {facts.map(([label, value]) => (
              <span key={label}>
                {label} <strong>{value}</strong>
              </span>
            ))}
            <span>
              {words.database.One} <Tag>{database === DEFAULT_DATABASE ? words.ownDatabase : database}</Tag>
            </span>
          </span>
        }
        actions={
          <>
            {hasExtras && (
              <Button icon={<CodeOutlined aria-hidden="true" />} onClick={() => script.open(true)}>
                {`Use in ${words.platform}`}
              </Button>
            )}
            {mayImport && (
              <Button
                type="primary"
                icon={<ImportOutlined aria-hidden="true" />}
                onClick={() => importing.open(true)}
              >
                Import
              </Button>
            )}
          </>
        }
      />
      <Suspense fallback={null}>
        {script.about && <LoadScriptDialog dialog={script} kapsule={kapsule} />}
        {importing.about && (
          <ImportDialog dialog={importing} kapsule={kapsule} role={me.role} onImported={onImported} />
        )}
      </Suspense>
    </>
  );
}
