import {
  type NxCell,
  type NxHyperCube,
  type ObjectModel,
  onTakeSnapshot,
  useAppLayout,
  useConstraints,
  useEffect,
  useElement,
  useKeyboard,
  useLayout,
  useModel,
  useOptions,
  useState,
  useTheme,
  useTranslator,
} from '@nebula.js/stardust';
import { RowPages } from './model/row-pages.ts';
import { chooseLocale } from './model/sheet-locale.ts';
import { initialProperties, setupOf } from './properties.ts';
import { propertyPanel } from './property-panel.ts';
import { workspaceOf } from './service/workspaces.ts';
import { chooseLanguage, texts } from './texts/texts.ts';
import { columnsOf, keyIndexOf } from './ui/columns.ts';
import { CommentTable } from './ui/comment-table.ts';
import { element } from './ui/element.ts';
import { followKeyboard } from './ui/keyboard-focus.ts';
import { setupView } from './ui/setup-view.ts';
import { isSnapshot, showSnapshot } from './ui/snapshot.ts';
import { styles } from './ui/styles.ts';
import { applyTheme, stylesOf, type ThemeStyles } from './ui/theme.ts';

interface Layout {
  qHyperCube?: NxHyperCube;
  kaptain?: { keyDimension?: number };
  /** Set in a snapshot, e.g. in storytelling. */
  snapshotData?: unknown;
  /** The table as it was when the snapshot was taken. */
  kaptainSnapshot?: unknown;
}

interface ShownTable {
  table: CommentTable;
  language: string;
}

/** The element of the object, with a shadow root so that neither the sheet's styles nor ours reach the other. */
function shadowIn(host: HTMLElement): ShadowRoot {
  if (host.shadowRoot) return host.shadowRoot;
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  return root;
}

const rowsOf = (model: ObjectModel | undefined, { qSize }: NxHyperCube) =>
  new RowPages<readonly NxCell[]>(model ? qSize.qcy : 0, async (qTop, qHeight) => {
    const page = { qTop, qLeft: 0, qWidth: qSize.qcx, qHeight };
    const [data] = (await model?.getHyperCubeData('/qHyperCubeDef', [page])) ?? [];
    return data?.qMatrix ?? [];
  });

function component(): void {
  const host = useElement();
  const layout = useLayout() as Layout;
  const model = useModel();
  const { direction } = useOptions();
  const constraints = useConstraints();
  // As a text: the theme is one object, which the platform changes.
  const look = JSON.stringify(stylesOf(useTheme()));
  const language = useTranslator().language();
  const locale = useAppLayout()?.qLocaleInfo;
  // Stardust before 5.9 has no useRef.
  const [shown] = useState<{ current: ShownTable | undefined }>({ current: undefined });
  // A constraint forbids: `active` what the visualisation does itself. `edit` is about the sheet, and set while it is read.
  const isReadOnly = layout.snapshotData !== undefined || constraints.active === true;
  const isPassive = constraints.passive === true;

  const { enabled, active, focus, blur } = useKeyboard();

  onTakeSnapshot((copy) => ({ ...copy, kaptainSnapshot: shown.current?.table.snapshot() }));

  useEffect(() => {
    const inner = host.querySelector<HTMLElement>('.kaptain') ?? element('div', { class: 'kaptain' });
    if (!inner.isConnected) host.append(inner);
    chooseLanguage(language);
    chooseLocale(locale, navigator.language);
    applyTheme(inner, JSON.parse(look) as ThemeStyles);
    if (direction) inner.dir = direction;
    const root = shadowIn(inner);
    if (isSnapshot(layout.kaptainSnapshot)) {
      root.replaceChildren(showSnapshot(layout.kaptainSnapshot));
      return;
    }
    const setup = setupOf(layout);
    const { qHyperCube: cube } = layout;
    const keyIndex =
      'missing' in setup || !cube
        ? -1
        : keyIndexOf(cube, Math.min(setup.keyDimension, cube.qDimensionInfo.length - 1));
    if ('missing' in setup || !cube || keyIndex < 0) {
      shown.current?.table.end();
      shown.current = undefined;
      const { missingKey, missingDimension } = texts();
      const hasDimension = cube !== undefined && cube.qDimensionInfo.length > 0;
      const lacking = 'missing' in setup ? setup : { missing: hasDimension ? missingKey : missingDimension };
      const keyField = cube?.qDimensionInfo[layout.kaptain?.keyDimension ?? 0]?.qFallbackTitle;
      root.replaceChildren(
        setupView({ ...lacking, keyField, model: layout.snapshotData === undefined ? model : undefined }),
      );
      return;
    }
    const input = {
      workspace: workspaceOf(setup.serviceUrl, setup.kapsuleId),
      setup,
      columns: columnsOf(cube, keyIndex),
      pages: rowsOf(model, cube),
      keyIndex,
      isReadOnly,
      isPassive,
    };
    // Its buttons keep the language in which they were made.
    if (shown.current?.language !== language) shown.current?.table.end();
    else return shown.current.table.update(input);
    const table = new CommentTable(input);
    shown.current = { table, language };
    root.replaceChildren(table.root);
    table.refresh();
  }, [host, layout, model, isReadOnly, isPassive, look, language, locale, direction, shown]);

  useEffect(() => {
    const { table } = shown.current ?? {};
    return table && followKeyboard(table.root, { enabled, active, focus, blur });
  }, [layout, language, shown, enabled, active, focus, blur]);

  useEffect(() => {
    const resized = new ResizeObserver(() => shown.current?.table.scheduleRefresh());
    resized.observe(host);
    return () => {
      resized.disconnect();
      shown.current?.table.end();
      shown.current = undefined;
    };
  }, [host, shown]);
}

/** The arguments with which the platform loads the module. */
interface Galaxy {
  translator?: { language(): string };
}

/** The visualisation as the platform loads it. */
export default function supernova(galaxy?: Galaxy) {
  chooseLanguage(galaxy?.translator?.language() ?? 'en');
  return {
    qae: {
      properties: { initial: initialProperties },
      data: {
        targets: [{ path: '/qHyperCubeDef', dimensions: { min: 1, max: 10 }, measures: { min: 0, max: 20 } }],
      },
    },
    ext: {
      definition: propertyPanel(texts()),
      support: { snapshot: true, export: true, exportData: false, viewData: false },
    },
    component,
  };
}
