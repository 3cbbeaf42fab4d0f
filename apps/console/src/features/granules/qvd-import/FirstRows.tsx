import type { QvdPreview } from './preview-qvd.ts';
import styles from './QvdImport.module.css';

interface Props {
  preview: QvdPreview;
  /** The columns that are taken, in the order to show. */
  matched: readonly string[];
}

/** The first rows of what would be stored. */
export function FirstRows({ preview, matched }: Props) {
  const { columns, firstRows } = preview;
  if (matched.length === 0 || firstRows.length === 0) return null;
  const columnIndexes = matched.map((name) => columns.indexOf(name));
  return (
    // biome-ignore lint: the table scrolls, so the keyboard must reach it.
    <div className={styles['rows']} tabIndex={0} role="region" aria-label="First rows">
      <table>
        <thead>
          <tr>
            {matched.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {firstRows.map((row, index) => (
            // The index is the key: rows of a file have no id, and their order never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {columnIndexes.map((columnIndex) => (
                <td key={columnIndex} title={row[columnIndex]}>
                  {row[columnIndex]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
