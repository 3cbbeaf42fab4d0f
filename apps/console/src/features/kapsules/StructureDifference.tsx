import { Tag } from 'antd';
import styles from './StructureDifference.module.css';
import type { StructureChange } from './structure-difference.ts';

const kinds = {
  added: { color: 'success', text: 'Added' },
  removed: { color: 'error', text: 'Removed' },
  retyped: { color: 'default', text: 'Retyped' },
  ruled: { color: 'default', text: 'Rules' },
} as const;

/** Before and after, line by line. */
export function StructureDifference({ change }: { change: StructureChange }) {
  const { fields, isReordered, table } = change;
  if (fields.length === 0 && !isReordered && !table)
    return <p>The structure is the same: nothing would change.</p>;
  return (
    // biome-ignore lint: the table scrolls, so the keyboard must reach it.
    <div className={styles['difference']} tabIndex={0} role="region" aria-label="What changes">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Change</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ kind, name, before, after }) => (
            <tr key={`${kind} ${name}`}>
              <th scope="row">{name}</th>
              <td>
                <Tag color={kinds[kind].color}>{kinds[kind].text}</Tag>
              </td>
              <td>{before || '–'}</td>
              <td>{after || '–'}</td>
            </tr>
          ))}
          {isReordered && (
            <tr>
              <th scope="row">(order of the fields)</th>
              <td>
                <Tag>Changed</Tag>
              </td>
              <td>–</td>
              <td>that of the file</td>
            </tr>
          )}
          {table && (
            <tr>
              <th scope="row">(bound table)</th>
              <td>
                <Tag>Changed</Tag>
              </td>
              <td>{table.before || '–'}</td>
              <td>{table.after || '–'}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
