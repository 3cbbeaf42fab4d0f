import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { runQuietly } from './children.mjs';
import { root, tell } from './project.mjs';

// The shell without windows first: it needs less of the processor.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const windowsApps = [
  join('Google', 'Chrome', 'Application', 'chrome.exe'),
  join('Microsoft', 'Edge', 'Application', 'msedge.exe'),
];

function standardPaths() {
  const { PATH = '', LOCALAPPDATA, ProgramFiles } = process.env;
  if (process.platform === 'win32') {
    const homes = [ProgramFiles, process.env['ProgramFiles(x86)'], LOCALAPPDATA].filter((home) => !!home);
    return windowsApps.flatMap((app) => homes.map((home) => join(String(home), app)));
  }
  if (process.platform === 'darwin') {
    return macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  }
  const folders = ['/usr/bin', ...PATH.split(delimiter)];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The browser that Playwright has downloaded. */
function playwrightBrowser() {
  const require = createRequire(join(root, 'package.json'));
  return String(require('playwright-core').chromium.executablePath() ?? '');
}

/** @returns {string | undefined} the path of an installed Chromium */
export function findBrowser() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  return [...standardPaths(), playwrightBrowser()].find((path) => path !== '' && existsSync(path));
}

/**
 * Finds an installed Chromium, or downloads one.
 * @param {string} node
 */
export async function ensureBrowser(node) {
  const found = findBrowser();
  if (found || process.env.CHROMIUM_PATH) return found;
  tell('No Chromium on this machine: trying to download one (first time only) …');
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  await runQuietly(node, [cli, 'install', 'chromium'], { timeout: 240_000 });
  return findBrowser();
}
