/**
 * A page that loads the built extension as the platform does: an AMD loader, the hooks of stardust that the extension
 * uses, and a hypercube of the simulated engine. `config.json` and the page's query set it up.
 */
import { EngineTable } from './engine-table.js';

const config = {
  ...(await (await fetch('/config.json')).json()),
  ...Object.fromEntries(new URLSearchParams(location.search)),
};
const host = /** @type {HTMLElement} */ (document.querySelector('#object'));

const model =
  'snapshot' in config
    ? undefined
    : await EngineTable.open(config.engine, config.app, {
        qInfo: { qType: 'kaptain-comments' },
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
const layout = () =>
  model?.layout ?? { ...JSON.parse(localStorage.getItem('snapshot') ?? '{}'), snapshotData: {} };

/** @type {Record<string, string>} */
const dark = { color: '#f0f0f0', backgroundColor: '#202020' };
const colours = config.theme === 'dark' ? dark : {};
const theme = {
  /**
   * @param {string} _base
   * @param {string} path
   * @param {string} attribute
   */
  getStyle: (_base, path, attribute) => (path === '' ? colours[attribute] : undefined),
};

/** The formats of the app; without them the browser's language decides. */
const appLayout = config.decimal
  ? { qLocaleInfo: { qDecimalSep: config.decimal, qDateFmt: config.dates } }
  : {};

/** The state of the component's hooks, in the order of their calls. */
const hooks = /** @type {any[]} */ ([]);
let place = 0;

const stardust = {
  useElement: () => host,
  useLayout: layout,
  useModel: () => model,
  useOptions: () => ({}),
  useKeyboard: () => ({ enabled: false, active: false }),
  useAppLayout: () => appLayout,
  useConstraints: () => ({ edit: true }),
  useTheme: () => theme,
  useTranslator: () => ({ language: () => config.language ?? navigator.language }),
  /** @param {(layout: object) => object} taken */
  onTakeSnapshot(taken) {
    // The copy is shown on another page, without engine and service.
    takeSnapshot = () => localStorage.setItem('snapshot', JSON.stringify(taken(layout())));
  },
  /** @param {unknown} initial */
  useState(initial) {
    return (hooks[place++] ??= [initial]);
  },
  /**
   * @param {() => unknown} run
   * @param {unknown[]} dependencies
   */
  useEffect(run, dependencies) {
    const known = hooks[place];
    if (
      !known?.dependencies.every(
        (/** @type {unknown} */ value, /** @type {number} */ n) => value === dependencies[n],
      )
    ) {
      known?.end?.();
      hooks[place] = { end: run(), dependencies };
    }
    place += 1;
  },
};

let takeSnapshot = () => {};
addEventListener('snapshot', () => takeSnapshot());
addEventListener('select', (event) => {
  if (event instanceof CustomEvent) void model?.select(event.detail);
});

Object.assign(window, {
  define: Object.assign(
    /**
     * @param {string[]} _names
     * @param {(given: object) => (galaxy: object) => { component: () => void }} factory
     */
    (_names, factory) => {
      // Other scripts, e.g. of tests, are no AMD modules.
      Reflect.deleteProperty(window, 'define');
      const { component } = factory(stardust)({ translator: stardust.useTranslator() });
      const render = () => {
        place = 0;
        component();
      };
      model?.addEventListener('changed', render);
      render();
    },
    { amd: {} },
  ),
});

document.head.append(Object.assign(document.createElement('script'), { src: '/extension.js' }));
