import { Modal } from 'antd';
import { modifierKey } from '../shared/keyboard.ts';
import styles from './CommandPalette.module.css';

const shortcuts = [
  [`${modifierKey} K`, 'Go to a page or run an action'],
  ['/', 'Search on this page'],
  ['Alt PgDn', 'Go to the next page of the table, or section'],
  ['Alt PgUp', 'Go to the previous page or section'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog'],
] as const;

export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open title="Keyboard shortcuts" footer={null} width={420} onCancel={onClose}>
      <dl className={styles['shortcuts']}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
