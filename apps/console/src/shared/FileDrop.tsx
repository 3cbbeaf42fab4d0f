import { InboxOutlined } from '@ant-design/icons';
import { useId, useState } from 'react';
import styles from './FileDrop.module.css';

interface Props {
  /** The accepted file name extension, with the dot. */
  ending: string;
  /** The largest number of files. */
  max: number;
  label: string;
  hint?: string;
  files: readonly File[];
  onChange: (files: File[]) => void;
}

const isSame = (a: File) => (b: File) =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** A drop zone for files that opens the file chooser on a click. Files with another extension are refused by name. */
export function FileDrop({ ending, max, label, hint, files, onChange }: Props) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [refusal, setRefusal] = useState('');

  const add = (dropped: readonly File[]) => {
    const fitting = dropped.filter(({ name }) => name.toLowerCase().endsWith(ending));
    const refused = dropped.filter((file) => !fitting.includes(file)).map(({ name }) => name);
    const chosen = max === 1 ? [] : files;
    const all = [...chosen, ...fitting.filter((file) => !chosen.some(isSame(file)))];
    const reasons = [
      ...(refused.length > 0 ? [`Only ${ending} files are accepted: ${refused.join(', ')}`] : []),
      ...(all.length > max ? [max === 1 ? 'Only one file is taken.' : `At most ${max} files at once.`] : []),
    ];
    setRefusal(reasons.join(' '));
    if (fitting.length > 0) onChange(all.slice(0, max));
  };

  return (
    <>
      {/* biome-ignore lint: dropping is a short cut for the field inside, which has its own label and keys. */}
      <div
        className={styles['drop']}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add([...event.dataTransfer.files]);
        }}
      >
        <input
          id={id}
          type="file"
          className="visually-hidden"
          accept={ending}
          multiple={max > 1}
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            // Cleared, so that a removed file can be chosen again: an unchanged value fires no event.
            target.value = '';
          }}
        />
        <label htmlFor={id}>
          <InboxOutlined aria-hidden="true" />
          {label}
          {hint && <small>{hint}</small>}
        </label>
      </div>
      {refusal !== '' && (
        <p className={styles['refused']} role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}
