import { MoreOutlined } from '@ant-design/icons';
import { Children, createContext, type ReactNode, use } from 'react';
import { ButtonPopover } from './ButtonPopover.tsx';
import styles from './IconAction.module.css';

/** Whether the table is as narrow as a phone: the actions of a row are behind one button. */
export const PhoneTable = createContext(false);
/** Whether an action stands in a list of actions, with its name. */
export const InActionList = createContext(false);

/** The width of a column of so many actions, so that one more or less moves nothing. */
export const actionsWidth = (most: number): number => most * 32 + 16;

/** The actions of a row, in one line at its end; on a phone behind one button, so that they need no scrolling. A child is an action. */
export function RowActions({ of, children }: { of: string; children: ReactNode }) {
  const isAlone = Children.toArray(children).length <= 1;
  if (!use(PhoneTable) || isAlone) return <div className={styles['actions']}>{children}</div>;
  const list = (
    <InActionList value>
      <div className={styles['list']}>{children}</div>
    </InActionList>
  );
  return (
    <div className={styles['actions']}>
      <ButtonPopover
        title={`Actions of ${of}`}
        content={list}
        placement="bottomRight"
        closesOnClick
        type="text"
        size="small"
        className={styles['action'] ?? ''}
        icon={<MoreOutlined />}
        aria-label={`Actions of ${of}`}
      />
    </div>
  );
}
