import { DeleteOutlined, HolderOutlined, PlusOutlined } from '@ant-design/icons';
import { choiceColors } from '@kaptain/contract/field-rules';
import { limits } from '@kaptain/contract/limits';
import { Button, Input, Select, Tag } from 'antd';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { IconAction } from '../IconAction.tsx';
import styles from './KapsuleForm.module.css';
import { type EditedChoice, newChoice } from './rule-values.ts';

interface Props {
  value?: EditedChoice[] | undefined;
  onChange?: (choices: EditedChoice[]) => void;
  /** The field, for screen readers. */
  fieldName: string;
}

const colors = choiceColors.map((value) => ({
  value,
  label: <Tag color={value}>{value === 'default' ? 'grey' : value}</Tag>,
}));

function moved(choices: readonly EditedChoice[], from: number, to: number): EditedChoice[] {
  const rest = choices.filter((_, index) => index !== from);
  const one = choices[from];
  return one && to >= 0 && to < choices.length
    ? [...rest.slice(0, to), one, ...rest.slice(to)]
    : [...choices];
}

/** The choices of a field in their order, which the pointer and the arrow keys change. */
export function ChoicesEditor({ value: choices = [], onChange, fieldName }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const latest = useRef(choices);
  useLayoutEffect(() => {
    latest.current = choices;
  });

  const set = (next: EditedChoice[]) => {
    latest.current = next;
    flushSync(() => onChange?.(next));
  };
  const focus = (id: number | undefined, what: 'input' | 'button') =>
    list.current?.querySelector<HTMLElement>(`[data-choice="${id}"] ${what}`)?.focus();
  const indexOf = (id: number) => latest.current.findIndex((one) => one.id === id);
  const moveTo = (id: number, to: number) => {
    if (to !== indexOf(id)) set(moved(latest.current, indexOf(id), to));
  };

  const onKey = (event: KeyboardEvent, id: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    moveTo(id, indexOf(id) + step);
    focus(id, 'button');
  };
  // The window hears the pointer also when the row has moved away from it.
  const drag = (id: number) => {
    const over = ({ clientX, clientY }: PointerEvent) => {
      const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-choice]');
      const to = row && list.current?.contains(row) ? indexOf(Number(row.dataset['choice'])) : -1;
      if (to >= 0) moveTo(id, to);
    };
    const end = () => {
      removeEventListener('pointermove', over);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
    addEventListener('pointermove', over);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  };
  const change = (id: number, part: Partial<EditedChoice>) =>
    set(latest.current.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const add = (after: number, values: readonly string[]) => {
    const added = values.map((value) => newChoice({ value }));
    set([...latest.current.slice(0, after), ...added, ...latest.current.slice(after)]);
    focus(added.at(-1)?.id, 'input');
  };

  return (
    <div className={styles['choices']}>
      <ul ref={list} aria-label={`Choices of ${fieldName}`}>
        {choices.map(({ id, value, color }, index) => (
          <li key={id} data-choice={id}>
            <Button
              type="text"
              size="small"
              className={styles['handle'] ?? ''}
              icon={<HolderOutlined aria-hidden="true" />}
              aria-label={`Move choice ${value || index + 1} with the arrow keys`}
              onKeyDown={(event) => onKey(event, id)}
              onPointerDown={() => drag(id)}
            />
            <Input
              aria-label={`Choice ${index + 1} of ${fieldName}`}
              autoComplete="off"
              maxLength={limits.choiceCharacters}
              value={value}
              onChange={({ target }) => change(id, { value: target.value })}
              // Enter adds the next one instead of saving the form.
              onPressEnter={(event) => {
                event.preventDefault();
                add(index + 1, ['']);
              }}
              onPaste={(event) => {
                const lines = event.clipboardData.getData('text').split(/\r?\n/);
                const texts = lines.map((line) => line.trim()).filter((line) => line !== '');
                if (texts.length < 2) return;
                event.preventDefault();
                if (value.trim() === '') change(id, { value: texts.shift() ?? '' });
                add(indexOf(id) + 1, texts);
              }}
            />
            <Select
              aria-label={`Colour of choice ${index + 1} of ${fieldName}`}
              allowClear
              placeholder="Colour"
              options={colors}
              value={color}
              onChange={(next) => change(id, { color: next })}
            />
            <IconAction
              title="Remove"
              label={`Remove choice ${index + 1} of ${fieldName}`}
              icon={<DeleteOutlined />}
              onClick={() => {
                const next = choices[index + 1] ?? choices[index - 1];
                set(choices.filter((one) => one.id !== id));
                focus(next?.id, 'input');
              }}
            />
          </li>
        ))}
      </ul>
      <Button
        size="small"
        icon={<PlusOutlined aria-hidden="true" />}
        onClick={() => add(choices.length, [''])}
      >
        Add choice
      </Button>
    </div>
  );
}
