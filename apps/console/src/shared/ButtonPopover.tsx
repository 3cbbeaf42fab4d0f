import { Button, type ButtonProps, Popover, type PopoverProps } from 'antd';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './ButtonPopover.module.css';
import { tabStopsIn } from './tab-stops.ts';

interface Props extends Omit<ButtonProps, 'title' | 'content'> {
  title: string;
  content: ReactNode;
  placement: NonNullable<PopoverProps['placement']>;
  /** A click into the content has done what the popover is for. */
  closesOnClick?: boolean;
}

/** antd describes the button by what it opens, which would be read as a whole. */
const Opener = (button: ComponentProps<typeof Button>) => (
  <Button {...button} aria-describedby={undefined} aria-haspopup="dialog" />
);

const isAction = (target: EventTarget) =>
  target instanceof Element && target.closest('button:not([aria-disabled="true"])') !== null;

interface PanelProps {
  title: string;
  children: ReactNode;
  onLeave: (event: KeyboardEvent) => void;
  /** Before and after a click on what can be clicked, if it closes the popover. */
  onAct: { before: () => void; after: () => void } | undefined;
}

function Panel({ title, children, onLeave, onAct }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!panel.current) return;
    // antd calls the element around it a tooltip, which may contain nothing that takes the focus.
    panel.current.closest('[role="tooltip"]')?.setAttribute('role', 'presentation');
    // antd renders it at the end of the document, where Tab would not find it.
    (tabStopsIn(panel.current)[0] ?? panel.current).focus({ preventScroll: true });
  }, []);
  return (
    <div
      ref={panel}
      className={styles['panel']}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onClickCapture={({ target }) => isAction(target) && onAct?.before()}
      onClick={({ target }) => isAction(target) && onAct?.after()}
      onKeyDown={(event) => {
        if (event.key !== 'Tab') return;
        const stops = tabStopsIn(event.currentTarget);
        const edge = event.shiftKey ? stops[0] : stops.at(-1);
        if (edge === undefined || edge === event.target || event.target === event.currentTarget)
          onLeave(event);
      }}
    >
      {children}
    </div>
  );
}

/** A button that opens a popover. The focus goes into it; Tab behind its last element and Escape close it. */
export function ButtonPopover({ title, content, placement, closesOnClick = false, ...button }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const opener = useRef<HTMLButtonElement>(null);
  const open = () => {
    setOpenings(openings + 1);
    setOpen(true);
  };
  // The focus must not disappear with the popover.
  const focusOpener = () => opener.current?.focus({ preventScroll: true });
  const close = () => {
    focusOpener();
    setOpen(false);
  };
  const leave = (event: KeyboardEvent) => {
    close();
    // Forwards the browser goes on from the button; backwards the button itself is next.
    if (event.shiftKey) event.preventDefault();
  };
  // A dialog that the click opens returns the focus to where it was before.
  const onAct = closesOnClick ? { before: focusOpener, after: () => setOpen(false) } : undefined;
  return (
    <Popover
      open={isOpen}
      onOpenChange={(next) => (next ? open() : close())}
      title={<span aria-hidden="true">{title}</span>}
      content={
        // A popover that still fades when it is opened again stays mounted: a new panel takes the focus all the same.
        <Panel key={openings} title={title} onLeave={leave} onAct={onAct}>
          {content}
        </Panel>
      }
      trigger="click"
      placement={placement}
      destroyOnHidden
    >
      <Opener {...button} ref={opener} aria-expanded={isOpen} />
    </Popover>
  );
}
