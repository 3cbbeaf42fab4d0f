import styles from './SampleRows.module.css';

interface Props {
  columns: readonly string[];
  /** One text per column. */
  rows: readonly (readonly (string | undefined)[])[];
}

/** The first rows of a file or a table. */
export function SampleRows({ columns, rows }: Props) {
  if (columns.length === 0 || rows.length === 0) return null;
  return (
    // biome-ignore lint: the table scrolls, so the keyboard must reach it.
    <div className={styles['rows']} tabIndex={0} role="region" aria-label="First rows">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // The index is the key: rows of a file have no id, and their order never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {columns.map((name, column) => (
                <td key={name} title={row[column]}>
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
