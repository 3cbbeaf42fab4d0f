import { Tag } from 'antd';
import styles from './ImportPreview.module.css';
import type { ImportedUser } from './imported-users.ts';

/** The users that an import would create, and the rows it leaves out with the reason. Passwords are not shown. */
export function ImportPreview({ rows }: { rows: readonly ImportedUser[] }) {
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  return (
    <>
      <p role="status">
        {`${rows.length - bad} of ${rows.length} rows can be created.`}
        {bad > 0 && ` ${bad} ${bad === 1 ? 'row is' : 'rows are'} left out.`}
      </p>
      {/* biome-ignore lint: the table scrolls, so the keyboard must reach it. */}
      <div className={styles['frame']} tabIndex={0} role="region" aria-label="Preview">
        <table className={styles['preview']}>
          <thead>
            <tr>
              {['Row', 'User Name', 'Role', 'Groups', 'Result'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, user, groupNames, problems }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{user.username}</td>
                <td>{user.role}</td>
                <td>{groupNames.join(', ')}</td>
                <td>
                  {problems.length === 0 ? (
                    <Tag color="success">Will be created</Tag>
                  ) : (
                    <span className={styles['problem']}>{problems.join(' ')}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
