import { Tooltip } from 'antd';
import type { TooltipRef } from 'antd/es/tooltip';
import { type ComponentProps, type ReactElement, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface Props {
  title: ComponentProps<typeof Tooltip>['title'];
  /** It only names its element: the Escape that hides it also reaches the dialog around it. */
  isName?: boolean;
  /** Something that the keyboard reaches. */
  children: ReactElement;
}

const triggers: ('hover' | 'focus')[] = ['hover', 'focus'];
/** A tooltip that fades would keep the Escape from the dialog. */
const still = { motionName: '' };

/** A click or a closed dialog has put the focus there: the pointer is elsewhere and asks for nothing. */
const isFocusOfPointer = (element: HTMLElement | null | undefined) =>
  element?.matches(':focus:not(:focus-visible):not(:hover)') ?? false;

/** A tooltip that comes under the pointer and with the focus of the keyboard, and that Escape hides. */
export function Hint({ title, isName = false, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [, setHidings] = useState(0);
  // antd does not report the end of a tooltip whose title has become empty.
  if (isOpen && !title) setOpen(false);
  const tooltip = useRef<TooltipRef>(null);

  useEffect(() => {
    if (!isOpen || !isName) return;
    // Before antd looks for what is on top.
    const hide = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      flushSync(() => setOpen(false));
      // antd gives up its place on top in a second rendering.
      flushSync(() => setHidings((count) => count + 1));
    };
    addEventListener('keydown', hide, { capture: true });
    return () => removeEventListener('keydown', hide, { capture: true });
  }, [isOpen, isName]);

  return (
    <Tooltip
      ref={tooltip}
      title={title}
      trigger={triggers}
      open={isOpen}
      onOpenChange={(next) => setOpen(next && !isFocusOfPointer(tooltip.current?.nativeElement))}
      {...(isName && { motion: still })}
    >
      {children}
    </Tooltip>
  );
}
