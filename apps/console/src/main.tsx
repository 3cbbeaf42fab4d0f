import { ConsoleConfig } from '@kaptain/contract/about';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setServiceUrl } from './api/service.ts';
import '@fontsource-variable/inter/wght.css';
import './app/base.css';
import { Root } from './app/Root.tsx';
import { allowOwnStyles } from './shared/content-security.ts';
import { variants } from './variants/variants.ts';

/** `config.json` beside index.html; the console works without it, too. */
async function readConfig(): Promise<ConsoleConfig> {
  try {
    const response = await fetch(`${import.meta.env.BASE_URL}config.json`);
    return ConsoleConfig.parse(await response.json());
  } catch {
    return ConsoleConfig.parse({});
  }
}

allowOwnStyles();
const config = await readConfig();
setServiceUrl(config.serviceUrl);
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Root variant={variants[config.variant]} />
    </StrictMode>,
  );
