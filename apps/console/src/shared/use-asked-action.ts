import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The state of a navigation that asks the page for its main action. */
export const askForAction = { asksForAction: true };

/** Runs the main action of a page when the palette has asked for it: once, not again after a reload. */
export function useAskedAction(run: () => void): void {
  const { state, ...location } = useLocation();
  const navigate = useNavigate();
  const isAsked = (state as Partial<typeof askForAction> | null)?.asksForAction === true;
  const answer = useEffectEvent(() => {
    void navigate(location, { replace: true, state: null });
    run();
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
}
