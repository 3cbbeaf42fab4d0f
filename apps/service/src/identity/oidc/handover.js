/**
 * The script of a window after a sign-in: hands the code to the page of the console that waits for it, and closes the
 * window once that page has it. A channel, because the provider may cut the window off from its opener.
 */
/** Exported, so that the file is a module, whose names are its own. */
export const { flow, code } = /** @type {HTMLElement} */ (document.querySelector('[data-code]')).dataset;
const channel = new BroadcastChannel('kaptain.provider');
channel.addEventListener('message', ({ data }) => {
  if (data?.taken === flow) window.close();
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target; it stays in this origin.
channel.postMessage({ flow, code });
