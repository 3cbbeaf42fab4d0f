import { SearchOutlined } from '@ant-design/icons';
import { Input, Modal } from 'antd';
import { type KeyboardEvent, useId, useState } from 'react';
import styles from './CommandPalette.module.css';
import { matchingCommands, useCommands } from './use-commands.tsx';

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const list = useId();
  const commands = useCommands();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  const shown = matchingCommands(commands, search);

  const run = (index: number) => {
    const command = shown[index];
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + shown.length) % shown.length);
    }
    if (event.key === 'Enter') run(chosen);
  };

  return (
    <Modal
      open
      title={<span className="visually-hidden">Go to a page or run an action</span>}
      footer={null}
      closable={false}
      width={560}
      onCancel={onClose}
      style={{ top: '12vh' }}
      styles={{ container: { padding: 8 }, header: { margin: 0 } }}
    >
      <Input
        size="large"
        variant="borderless"
        prefix={<SearchOutlined aria-hidden="true" />}
        placeholder="Go to…"
        autoFocus
        role="combobox"
        aria-label="Go to a page or run an action"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={shown[chosen] ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Results" className={styles['list']}>
        {shown.map((command, index) => (
          <li
            key={command.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => setChosen(index)}
            onClick={() => run(index)}
          >
            <span>{command.label}</span>
            <small>{command.group}</small>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles['nothing']}>Nothing matches “{search}”.</p>}
    </Modal>
  );
}
