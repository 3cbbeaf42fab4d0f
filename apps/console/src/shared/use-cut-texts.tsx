import { Tooltip } from 'antd';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import styles from './DataTable.module.css';
import { ageAndZone } from './time.ts';

const HIDE_MS = 150;

interface Shown {
  text: string;
  box: DOMRect;
}

const isCut = (element: HTMLElement) => element.scrollWidth > element.clientWidth;
const cellAt = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-cut], time[data-cell]') : null;

/** The tooltip of a cell; undefined when the cell shows its whole text. */
function tooltipOf(element: HTMLElement): string | undefined {
  if (element instanceof HTMLTimeElement) return ageAndZone(new Date(element.dateTime));
  const text = element.textContent;
  const full = element.dataset['cut'] || text;
  return isCut(element) || full !== text ? full : undefined;
}

/** One tooltip for all times of a table and all texts that are cut: a tooltip per cell would double the time to render a page. */
export function useCutTexts(table: HTMLElement | null) {
  const [shown, setShown] = useState<Shown>();
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = (target: EventTarget) => {
    clearTimeout(hiding.current);
    const element = cellAt(target);
    const text = element && tooltipOf(element);
    if (text) setShown({ text, box: element.getBoundingClientRect() });
    // The delay lets the pointer reach the tooltip, whose own events arrive here, too.
    else if (!(target instanceof Element && target.closest('.ant-tooltip')))
      hiding.current = setTimeout(() => setShown(undefined), HIDE_MS);
  };

  // The box is that of the moment of the event.
  useEffect(() => {
    if (!shown) return;
    const hide = () => setShown(undefined);
    addEventListener('scroll', hide, { capture: true, passive: true });
    return () => removeEventListener('scroll', hide, { capture: true });
  }, [shown]);
  useEffect(() => () => clearTimeout(hiding.current), []);

  // After each render: the keyboard reaches only what is cut. All sizes are read before the first change.
  useEffect(() => {
    const texts = [...(table?.querySelectorAll<HTMLElement>('[data-cut]') ?? [])];
    const areReached = texts.map(
      (text) => tooltipOf(text) !== undefined && !text.querySelector('a, button, [tabindex]'),
    );
    for (const [index, text] of texts.entries())
      if (areReached[index]) text.tabIndex = 0;
      else text.removeAttribute('tabindex');
  });

  const { left = 0, top = 0, width = 0, height = 0 } = shown?.box ?? {};
  return {
    handlers: {
      onMouseOver: ({ target }: MouseEvent) => show(target),
      onMouseLeave: ({ currentTarget }: MouseEvent) => show(currentTarget),
      onFocus: ({ target }: FocusEvent) => show(target),
      onBlur: ({ currentTarget }: FocusEvent) => show(currentTarget),
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && setShown(undefined),
    },
    tooltip: shown && (
      <Tooltip open title={shown.text}>
        <span className={styles['anchor']} style={{ left, top, width, height }} />
      </Tooltip>
    ),
  };
}
