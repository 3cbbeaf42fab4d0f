import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../tools/setup/browser.mjs';

/** The Chromium of this machine; as root it needs to run without its sandbox. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  return chromium.launch({
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(executablePath && { executablePath }),
  });
}
