/**
 * A page that renders the built extension in the platform's own runtime, a release of stardust loaded by RequireJS. The app is
 * stardust's mock of one; the object in it asks the simulated engine. `config.json` and the page's query set it up.
 */
import { EngineTable } from './engine-table.js';

const config = {
  ...(await (await fetch('/config.json')).json()),
  ...Object.fromEntries(new URLSearchParams(location.search)),
};
const host = /** @type {HTMLElement} */ (document.querySelector('#object'));
const TYPE = 'kaptain-comments';
const EVENTS = ['on', 'once', 'removeListener'];

/** Languages of stardust by the code of a browser. */
const languages = ['en-US', 'de-DE', 'fr-FR', 'es-ES'];
const languageOf = (/** @type {string} */ code) =>
  languages.find((language) => language.startsWith(code.slice(0, 2))) ?? 'en-US';

/** Themes beside `light` and `dark`, which stardust has. */
const themes = {
  company: { type: 'dark', color: '#f0f0f0', backgroundColor: '#202020' },
  clear: { type: 'dark', color: '#ffffff', object: { backgroundColor: 'transparent' } },
};

/** The object of the sheet as enigma.js has it: it tells its listeners when its layout has changed. */
async function openObject() {
  const table = await EngineTable.open(config.engine, config.app, {
    qInfo: { qId: 'table', qType: TYPE },
    visualization: TYPE,
    qHyperCubeDef: config.cube,
    kaptain: {
      serviceUrl: config.service,
      kapsuleId: config.kapsule,
      keyDimension: 0,
      fields: config.fields,
      saving: config.saving ?? 'atOnce',
      reload: config.reload ?? 'none',
    },
  });
  addEventListener('select', (event) => {
    if (event instanceof CustomEvent) void table.select(event.detail);
  });
  return {
    getLayout: () => table.layout,
    getProperties: () => table.getProperties(),
    getEffectiveProperties: () => table.getProperties(),
    /** @param {object} properties */
    setProperties: (properties) => table.setProperties(properties),
    /**
     * @param {string} path
     * @param {object[]} pages
     */
    getHyperCubeData: (path, pages) => table.getHyperCubeData(path, pages),
    /**
     * @param {string} name
     * @param {() => void} told
     */
    on: (name, told) => table.addEventListener(name, told),
    /**
     * @param {string} name
     * @param {() => void} told
     */
    once: (name, told) => table.addEventListener(name, told, { once: true }),
    /**
     * @param {string} name
     * @param {() => void} told
     */
    removeListener: (name, told) => table.removeEventListener(name, told),
  };
}

/** A snapshot is shown without the engine. */
const takenObject = () => {
  const layout = { ...JSON.parse(localStorage.getItem('snapshot') ?? '{}'), snapshotData: {} };
  const none = Object.fromEntries(EVENTS.map((name) => [name, () => undefined]));
  return { getLayout: () => layout, getProperties: () => ({}), getEffectiveProperties: () => ({}), ...none };
};

const object = 'snapshot' in config ? takenObject() : await openObject();
const load = /** @type {(names: string[], loaded: (...modules: any[]) => void) => void} */ (
  Reflect.get(window, 'requirejs')
);
Reflect.get(
  load,
  'config',
)({
  paths: { '@nebula.js/stardust': `/stardust-${config.stardust ?? 7}`, extension: '/extension' },
});

/**
 * @param {any} stardust
 * @param {unknown} extension
 */
async function show(stardust, extension) {
  // Other scripts, e.g. of tests, are no AMD modules.
  Reflect.set(window, 'define', undefined);
  const appLocaleInfo = { qDecimalSep: config.decimal, qDateFmt: config.dates };
  const app = await stardust.EnigmaMocker.fromGenericObjects(
    [object],
    // The formats of the app; without them the browser's language decides.
    config.decimal ? { appLocaleInfo } : {},
  );
  const sheet = stardust.embed(app, {
    types: [{ name: TYPE, load: () => Promise.resolve(extension) }],
    themes: Object.entries(themes).map(([id, theme]) => ({ id, load: () => Promise.resolve(theme) })),
    context: {
      theme: config.theme ?? 'light',
      language: languageOf(config.language ?? navigator.language),
      constraints: Object.fromEntries(
        (config.constraints ?? '').split(' ').map((/** @type {string} */ name) => [name, true]),
      ),
      keyboardNavigation: 'keyboard' in config,
    },
  });
  addEventListener('context', (event) => {
    if (event instanceof CustomEvent) sheet.context(event.detail);
  });
  const shown = await sheet.render({
    element: host,
    id: object.getLayout().qInfo?.qId ?? 'table',
    options: { direction: config.direction },
  });
  const take = async () => {
    // The copy is shown on another page.
    localStorage.setItem('snapshot', JSON.stringify((await shown.takeSnapshot()).layout));
  };
  addEventListener('snapshot', () => void take());
}

// RequireJS calls no async function.
load(['@nebula.js/stardust', 'extension'], (stardust, extension) => void show(stardust, extension));
