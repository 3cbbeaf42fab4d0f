import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KapFile } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { knownVariables } from '../../apps/service/src/base/config/known-variables.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../setup/project.mjs';
import { linksIn, type Page, readPage } from './page.ts';
import { consoleTexts, sources } from './sources.ts';

const pageAt = (file: string): Page => readPage(file, readFileSync(join(root, file), 'utf8'));
const guide = globSync(['docs/guide/*.md', 'docs/configuration.md'], { cwd: root }).map((file) =>
  pageAt(file.replaceAll('\\', '/')),
);
const documents = globSync(['*.md', '{apps,bench,docs,examples,packages,tools}/**/*.md'], {
  cwd: root,
  exclude: (path) => /(^|[\\/])node_modules$/.test(path),
}).map((file) => pageAt(file.replaceAll('\\', '/')));

/** Names that the pages mention but the code does not have, with the page. */
const missing = (find: (page: Page) => string[], isKnown: (found: string) => boolean): string[] =>
  guide.flatMap((page) =>
    find(page)
      .filter((found) => !isKnown(found))
      .map((found) => `${page.file}: ${found}`),
  );
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole, group]) => group ?? whole);

/** Processes of the service set them for each other; a command describes its own. */
const ofProcesses = [
  'KAPTAIN_STOP_WITH_STDIN',
  'KAPTAIN_WORKER_INSTANCE',
  'KAPTAIN_WORKER_START',
  'KAPTAIN_COPY_PASS',
];

describe('links of all documents', () => {
  it('lead to files and headings that exist', () => {
    const broken = documents.flatMap((page) =>
      linksIn(page).filter(({ path, anchor }) => {
        const file = path === '' ? page.file : join(dirname(page.file), path).replaceAll('\\', '/');
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && !pageAt(file).anchors.includes(anchor);
      }),
    );
    expect(broken).toEqual([]);
  });
});

describe('source files that documents name', () => {
  it('exist', () => {
    const files = globSync('{apps,bench,deploy,drivers,e2e,examples,packages,tools}/**/*.{ts,tsx,mts,mjs}', {
      cwd: root,
      exclude: (path) => /(^|[\\/])(node_modules|dist)$/.test(path),
    }).map((file) => `/${file.replaceAll('\\', '/')}`);
    const isThere = (name: string) =>
      existsSync(join(root, name)) || files.some((file) => file.endsWith(`/${name}`));
    const unknown = documents.flatMap((page) =>
      matches(readFileSync(join(root, page.file), 'utf8'), /`([\w@./-]+\.(?:tsx?|mts|mjs))`/g)
        .filter((name) => !isThere(name))
        .map((name) => `${page.file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('the guide', () => {
  it('has a first page that leads to all others', () => {
    const [first] = guide.filter(({ file }) => file === 'docs/guide/README.md');
    const linked = new Set(first && linksIn(first).map(({ path }) => path));
    const others = guide.map(({ file }) => file.replace('docs/guide/', '').replace('docs/', '../'));
    expect(others.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
  });

  it('shows every picture that it has', () => {
    const shown = new Set(guide.flatMap(linksIn).map(({ path }) => path));
    const pictures = globSync('docs/guide/pictures/*', { cwd: root }).map((file) =>
      file.replaceAll('\\', '/').replace('docs/guide/', ''),
    );
    expect(pictures.length).toBeGreaterThanOrEqual(8);
    expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
  });

  it('names variables, keys of kaptain.json, npm scripts and commands that exist', () => {
    const service = sources('{apps/service,packages}/**/src/**/*.ts', 'deploy/compose.yaml');
    const variables = ({ text }: Page) => matches(text, /\b(?:KAPTAIN_[A-Z_]+|SETUP_TOKEN)\b/g);
    expect(missing(variables, (name) => service.includes(name))).toEqual([]);

    const bootKeys = new Set(matches(sources('apps/service/src/base/config/boot-config.ts'), /, '(\w+)'\)/g));
    const keys = ({ json }: Page) =>
      json.filter((value) => !('format' in value)).flatMap((value) => Object.keys(value));
    expect(missing(keys, (key) => bootKeys.has(key))).toEqual([]);

    const scripts = ({ text }: Page) => matches(text, /npm run ([\w:-]+)/g);
    expect(missing(scripts, (name) => name in packageJson.scripts)).toEqual([]);

    const names = matches(
      sources('apps/service/src/operations/cli/run.ts'),
      /ownCommand\} ([a-z-]+(?: (?:check|copy|verify))?)/g,
    );
    const command = /(?:^|sudo |\/)kaptain(?:\.js)? ([a-z][a-z-]*(?: (?:check|copy|verify))?)/g;
    const commands = ({ code }: Page) => code.flatMap((line) => matches(line, command));
    expect(guide.flatMap(commands).length).toBeGreaterThan(10);
    expect(missing(commands, (name) => names.includes(name))).toEqual([]);
  });

  it('describes every variable, every key of kaptain.json and every command in docs/configuration.md', () => {
    const page = pageAt('docs/configuration.md').text;
    const variables = knownVariables.filter((name) => !ofProcesses.includes(name));
    const keys = matches(sources('apps/service/src/base/config/boot-config.ts'), /source\([^)]*, '(\w+)'\)/g);
    const commands = matches(
      sources('apps/service/src/operations/cli/run.ts'),
      /\$\{ownCommand\} ([a-z-]+(?: [a-z]+)?)/g,
    )
      .filter((name) => !['start', 'help'].includes(name.split(' ')[0] ?? ''))
      .map((name) => `kaptain ${name}`);
    expect(keys.length + commands.length).toBeGreaterThan(25);
    const names = [...variables, ...keys.map((key) => `\`${key}\``), ...commands];
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('names files and folders as the release makes them', () => {
    const release = sources('tools/release/**/*.{ts,go,nsi,service,sh,cmd}', 'tools/release/files/**/*');
    const targets = matches(sources('tools/release/targets.ts'), /name: '([\w-]+)'/g);
    const endings = targets.flatMap((name) =>
      name.startsWith('windows') ? [`${name}-setup.exe`, `${name}.zip`] : [`${name}.deb`, `${name}.tar.gz`],
    );
    const artefacts = ({ text }: Page) =>
      matches(text, /kaptain-<version>-([\w-]+\.(?:exe|zip|deb|tar\.gz|tar))/g);
    expect(
      missing(artefacts, (name) => [...endings, 'image-x64.tar', 'driver-snowflake.tar.gz'].includes(name)),
    ).toEqual([]);
    const folders = ({ text }: Page) =>
      matches(text, /\/(?:etc\/default|var\/lib|opt)\/kaptain\b|C:\\Program(?: Files|Data)\\Kaptain/g);
    const unescaped = release.replaceAll('\\\\', '\\');
    expect(missing(folders, (folder) => unescaped.includes(folder))).toEqual([]);
  });

  it('quotes words of the screen and sentences of the service as they are', () => {
    const texts = consoleTexts();
    expect(
      missing(
        ({ bold }) => bold,
        (label) => texts.includes(label),
      ),
    ).toEqual([]);
    const service = sources('{apps/service,packages}/**/src/**/*.ts');
    const parts = ({ italic }: Page) =>
      italic.flatMap((sentence) => sentence.split('…')).map((part) => part.trim());
    expect(missing(parts, (part) => service.includes(part))).toEqual([]);
  });

  it('has an example of a .kap file that the service takes', () => {
    const files = guide.flatMap(({ json }) => json).filter((value) => 'format' in value);
    expect(files).toHaveLength(1);
    expect(KapFile.parse(files[0]).kapsule.fields).toHaveLength(3);
  });
});
