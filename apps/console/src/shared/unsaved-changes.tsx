import { App } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useBlocker } from 'react-router';

/** Every form on the screen that can say whether something entered would be lost. */
const forms = new Set<() => boolean>();
const hasUnsavedChanges = (): boolean => [...forms].some((isUnsaved) => isUnsaved());

/** While this form has unsaved changes, leaving the page or the console asks first. */
export function useUnsavedGuard(isUnsaved: () => boolean): void {
  const ask = useEffectEvent(isUnsaved);
  useEffect(() => {
    const form = () => ask();
    forms.add(form);
    return () => {
      forms.delete(form);
    };
  }, []);
}

/** The question every form asks before it throws away what was entered. */
export function useAskToDiscard(): (discard: () => void, keep?: () => void) => { destroy: () => void } {
  const { modal } = App.useApp();
  return (discard, keep) =>
    modal.confirm({
      title: 'Discard what you have entered?',
      okText: 'Discard',
      cancelText: 'Keep editing',
      okButtonProps: { danger: true },
      focusable: { autoFocusButton: 'cancel' },
      onOk: discard,
      ...(keep && { onCancel: keep }),
    });
}

/** For a way out that is no navigation, such as Logout. */
export function useLeave(): (leave: () => void) => void {
  const askToDiscard = useAskToDiscard();
  return (leave) => {
    if (hasUnsavedChanges()) askToDiscard(leave);
    else leave();
  };
}

/** Stands once in the frame, because the router lets only one part of the page hold it up. */
export function UnsavedGuard(): null {
  const askToDiscard = useAskToDiscard();
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && hasUnsavedChanges(),
  );
  const ask = useEffectEvent(() =>
    askToDiscard(
      () => proceed?.(),
      () => reset?.(),
    ),
  );

  useEffect(() => {
    if (state !== 'blocked') return undefined;
    const asked = ask();
    return () => asked.destroy();
  }, [state]);

  // The browser asks in its own words when the tab is closed or reloaded.
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (hasUnsavedChanges()) event.preventDefault();
    };
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, []);
  return null;
}
