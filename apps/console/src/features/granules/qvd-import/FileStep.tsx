import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import type { Role } from '@kaptain/contract/vocabulary';
import { Alert } from 'antd';
import { FileDrop } from '../../../shared/FileDrop.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import { FilePreview } from './FilePreview.tsx';
import styles from './QvdImport.module.css';
import type { Preview } from './use-previews.ts';

interface Props {
  kapsule: Kapsule;
  role: Role;
  files: readonly File[];
  previewOf: (file: File) => Preview;
  onChange: (files: File[]) => void;
}

export function FileStep({ kapsule, role, files, previewOf, onChange }: Props) {
  const words = useWords();
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title="Please do not upload company data."
        description={`All who may read this ${words.kapsule.one} see what you import. Choose files that hold nothing but ${words.komment.many}.`}
      />
      <FileDrop
        ending=".qvd"
        max={limits.qvdFiles}
        label="Choose .qvd files, or drop them here"
        hint={`Rows need the key column ${kapsule.keyField}; columns named like a field are taken.`}
        files={files}
        onChange={onChange}
      />
      {files.length > 0 && (
        <ul className={styles['list']} aria-label="Chosen files">
          {files.map((file) => (
            <FilePreview
              key={`${file.name}-${file.size}-${file.lastModified}`}
              file={file}
              preview={previewOf(file)}
              kapsule={kapsule}
              role={role}
              onRemove={() => onChange(files.filter((other) => other !== file))}
            />
          ))}
        </ul>
      )}
    </>
  );
}
