import { downloads } from '@kaptain/contract/downloads';
import { isUnknownCall } from './is-unknown-call.ts';
import { service, urlOf } from './service.ts';

const calls = service({ downloads }).downloads;

/** The address of a download: with a ticket, or plain for another service without tickets. */
export async function addressOf(path: string): Promise<string> {
  try {
    return urlOf((await calls.ticket({ body: { path } })).url);
  } catch (error) {
    if (isUnknownCall(error)) return urlOf(path);
    throw error;
  }
}

/** Navigates; the page stays, because the answer is an attachment. */
function navigateTo(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Downloads a file by navigation. */
export async function download(path: string): Promise<void> {
  navigateTo(await addressOf(path));
}

/** As `download`, in a new window. Call it in the handler of the click, or the browser blocks the window. */
export async function downloadInNewWindow(path: string): Promise<void> {
  const opened = window.open('about:blank');
  if (opened) opened.opener = null;
  try {
    const address = await addressOf(path);
    if (opened) opened.location.replace(address);
    else navigateTo(address);
  } catch (error) {
    opened?.close();
    throw error;
  }
}
