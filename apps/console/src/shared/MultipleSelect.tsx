import { Select, type SelectProps } from 'antd';
import { useState } from 'react';
import { flushSync } from 'react-dom';

interface Props extends Omit<SelectProps<string[]>, 'mode' | 'open' | 'onOpenChange'> {
  /** Other texts than the options can be typed. */
  isFree?: boolean;
}

/** Chooses any number of options. Tab closes the list and moves on; antd's own would choose an option and stay. */
export function MultipleSelect({ isFree = false, ...props }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      role="presentation"
      onKeyDownCapture={({ key }) => {
        // Before the field itself gets the key: a closed list leaves it to the browser.
        if (key === 'Tab' && isOpen) flushSync(() => setOpen(false));
      }}
    >
      <Select {...props} mode={isFree ? 'tags' : 'multiple'} open={isOpen} onOpenChange={setOpen} />
    </div>
  );
}
