/**
 * The script of the page after a new proof: hands the code to the page of the console that waits for it, and closes the
 * window once that page has it. A channel, because the provider may cut the window off from its opener.
 */
const { flow, code } = /** @type {HTMLElement} */ (document.querySelector('[data-code]')).dataset;
const channel = new BroadcastChannel('kaptain.proof');
channel.addEventListener('message', ({ data }) => {
  if (data?.taken === flow) window.close();
});
channel.postMessage({ flow, code });

export {};
