import { CodeOutlined, ImportOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { DEFAULT_DATABASE, type Role } from '@kaptain/contract/vocabulary';
import { Button, Tag } from 'antd';
import { Suspense } from 'react';
import { lazyPart } from '../../api/load-code.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { type Dialog, useDialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';

const LoadScriptDialog = lazyPart('LoadScriptDialog', () => import('./LoadScriptDialog.tsx'));
const ImportDialog = lazyPart('QvdImportDialog', () => import('./qvd-import/QvdImportDialog.tsx'));

interface Props {
  kapsule: Kapsule;
  hasExtras: boolean;
  /** The service tells what an import would do before it stores anything. */
  canCheck: boolean;
  /** About the files that are chosen at first. */
  importing: Dialog<readonly File[]>;
  mayImport: boolean;
  isEditable: boolean;
  role: Role;
  onImported: () => void;
}

export function GranulesHeader(props: Props) {
  const { kapsule, hasExtras, canCheck, importing, mayImport, isEditable, role, onImported } = props;
  const words = useWords();
  const script = useDialog<true>();
  const { name, table, keyField, database } = kapsule;
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
            {!isEditable && <span>{`You may read this ${words.kapsule.one}, not write into it.`}</span>}
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
                onClick={() => importing.open([])}
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
          <ImportDialog
            dialog={importing}
            kapsule={kapsule}
            role={role}
            canCheck={canCheck}
            onImported={onImported}
          />
        )}
      </Suspense>
    </>
  );
}
