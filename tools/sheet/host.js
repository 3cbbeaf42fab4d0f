/**
 * A page that loads the built extension as the platform does: an AMD loader, the hooks of stardust that the extension
 * uses, and a hypercube of the simulated engine. `config.json` and the page's query set it up.
 */
import { openTable } from './engine-table.js';

const config = {
  ...(await (await fetch('/config.json')).json()),
  ...Object.fromEntries(new URLSearchParams(location.search)),
};
const host = /** @type {HTMLElement} */ (document.querySelector('#object'));

const { model, layout } = await openTable(config.engine, config.app, {
  qInfo: { qType: 'kaptain-comments' },
  qHyperCubeDef: config.cube,
  kaptain: {
    serviceUrl: config.service,
    kapsuleId: config.kapsule,
    keyDimension: 0,
    fields: config.fields,
    saving: config.saving ?? 'atOnce',
  },
});

/** @type {Record<string, string>} */
const dark = { color: '#f0f0f0', backgroundColor: '#202020' };
const colours = config.theme === 'dark' ? dark : {};

/** @type {unknown[]} */
const hooks = [];
let place = 0;

const stardust = {
  useElement: () => host,
  useLayout: () => layout,
  useModel: () => model,
  useConstraints: () => ({ edit: true }),
  useTheme: () => ({
    /**
     * @param {string} _base
     * @param {string} path
     * @param {string} attribute
     */
    getStyle: (_base, path, attribute) => (path === '' ? colours[attribute] : undefined),
  }),
  useTranslator: () => ({ language: () => config.language ?? navigator.language }),
  /** @param {unknown} initial */
  useRef(initial) {
    return (hooks[place++] ??= { current: initial });
  },
  /** @param {() => unknown} run */
  useEffect(run) {
    hooks[place++] ??= { end: run() };
  },
};

Object.assign(window, {
  define: Object.assign(
    /**
     * @param {string[]} _names
     * @param {(given: object) => (galaxy: object) => { component: () => void }} factory
     */
    (_names, factory) => {
      place = 0;
      factory(stardust)({ translator: stardust.useTranslator() }).component();
    },
    { amd: {} },
  ),
});

document.head.append(Object.assign(document.createElement('script'), { src: '/extension.js' }));
