import styles from '../Settings.module.css';
import type { SettingChange } from './settings-difference.ts';

/** Before and after, line by line. */
export function ChangesTable({ changes }: { changes: readonly SettingChange[] }) {
  if (changes.length === 0) return <p>Nothing changes.</p>;
  return (
    // biome-ignore lint: the table scrolls, so the keyboard must reach it.
    <div className={styles['changes']} tabIndex={0} role="region" aria-label="What changes">
      <table>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, group, label, before, after }) => (
            <tr key={path}>
              <th scope="row">
                {label}
                <small>{group}</small>
              </th>
              <td>{before}</td>
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
