import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readBootConfig } from '../apps/service/src/base/config/boot-config.ts';
import { Metrics } from '../apps/service/src/operations/metrics/metrics.ts';
import { renderChart } from './render-chart.ts';
import { root } from './setup/project.mjs';

const text = (...path: string[]) => readFileSync(join(root, 'deploy', ...path), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Names of metrics in an expression. */
const namesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:kaptain|nodejs|process)_[a-z_0-9]+/g)].map(([name]) => name);

/** The names of a histogram's series; other metrics have one name. */
const known = new Set(
  new Metrics(version)
    .list()
    .flatMap(({ name, type }) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
);

describe('what Prometheus and Grafana read', () => {
  test('is only what the service serves, with labels that it has', () => {
    const { groups } = parse(text('prometheus', 'alerts.yaml')) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    const dashboard = JSON.parse(text('grafana', 'kaptain.json')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(25);
    const named = expressions.flatMap(namesIn);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    for (const { annotations } of rules)
      expect(annotations).toEqual({ summary: expect.any(String), action: expect.any(String) });
    // A metric of ours that neither alerts nor panels use would be collected for no one.
    const own = [...known].filter((name) => name.startsWith('kaptain_') && !name.endsWith('_sum'));
    expect(own.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('is described in docs/reference/metrics.md, metric by metric', () => {
    const page = readFileSync(join(root, 'docs', 'reference', 'metrics.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(kaptain_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [
      name,
      type,
    ]);
    const own = new Metrics(version).list().filter(({ name }) => name.startsWith('kaptain_'));
    expect(rows).toEqual(own.map(({ name, type }) => [name, type]));
  });
});

interface Compose {
  services: Record<'kaptain' | 'database', Record<string, unknown> & { environment: Record<string, string> }>;
  volumes: Record<string, unknown>;
}

test('the compose file runs the image as it is meant: not as root, on a read-only root, with PostgreSQL', () => {
  const { services, volumes } = parse(text('compose.yaml')) as Compose;
  expect(services.kaptain).toMatchObject({
    user: '10001:10001',
    read_only: true,
    cap_drop: ['ALL'],
    volumes: ['kaptain:/data'],
    depends_on: { database: { condition: 'service_healthy' } },
  });
  expect(Object.keys(volumes)).toEqual(['kaptain', 'database']);
  expect(services.kaptain.environment).toMatchObject({
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: 'database',
    KAPTAIN_DB_USER: services.database.environment['POSTGRES_USER'],
    KAPTAIN_DB_NAME: services.database.environment['POSTGRES_DB'],
    KAPTAIN_DB_PASS: services.database.environment['POSTGRES_PASSWORD'],
  });
  // Variables without a value in the environment file are empty, which counts as not set.
  const boot = readBootConfig({ SETUP_TOKEN: '', KAPTAIN_METRICS: '', KAPTAIN_LOG_STDOUT: 'true' });
  expect(boot).toMatchObject({ setupToken: undefined, metrics: undefined, logsToStdout: true });
});

interface Container {
  image: string;
  securityContext: object;
  env: { name: string; value?: string; valueFrom?: object }[];
  livenessProbe: object;
  readinessProbe: object;
  volumeMounts: { mountPath: string }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  spec: {
    replicas: number;
    serviceName: string;
    template: { spec: { securityContext: object; enableServiceLinks: boolean; containers: [Container] } };
  };
}

describe('the Helm chart', () => {
  const rendered = (values: object = {}): Manifest[] =>
    ['config.yaml', 'statefulset.yaml', 'services.yaml'].flatMap((name) =>
      parseAllDocuments(
        renderChart(text('helm', 'kaptain', 'templates', name), {
          Chart: {
            AppVersion: (parse(text('helm', 'kaptain', 'Chart.yaml')) as { appVersion: string }).appVersion,
          },
          Release: { Name: 'kaptain' },
          Values: { ...(parse(text('helm', 'kaptain', 'values.yaml')) as object), ...values },
        }),
      ).flatMap((document) => {
        expect(document.errors).toEqual([]);
        const manifest = document.toJS() as Manifest | null;
        return manifest ? [manifest] : [];
      }),
    );
  const set = (values?: object) => rendered(values).find(({ kind }) => kind === 'StatefulSet');

  test('has the version of the repository', () => {
    expect(parse(text('helm', 'kaptain', 'Chart.yaml'))).toMatchObject({ version, appVersion: version });
    expect(set()?.spec.template.spec.containers[0].image).toBe(`kaptain:${version}`);
  });

  test('runs without root and on a read-only root, with probes and secrets', () => {
    const { securityContext, containers, enableServiceLinks } = set()?.spec.template.spec ?? {};
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
    // Kubernetes would set KAPTAIN_PORT to the address of the service.
    expect(enableServiceLinks).toBe(false);
    const container = containers?.[0];
    expect(container).toMatchObject({
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      livenessProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
      volumeMounts: [{ mountPath: '/data' }],
    });
    const secrets = container?.env.filter(({ valueFrom }) => valueFrom).map(({ name }) => name);
    expect(secrets).toEqual(['KAPTAIN_DB_PASS', 'KAPTAIN_PEPPER', 'SETUP_TOKEN', 'KAPTAIN_METRICS']);
    const names = rendered().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual(['StatefulSet kaptain', 'Service kaptain', 'Service kaptain-instances']);
  });

  test('needs no shared volume for several replicas, and mounts that of earlier installations', () => {
    const alone = set({ replicas: 3 })?.spec.template.spec.containers[0].volumeMounts;
    expect(alone?.map(({ mountPath }) => mountPath)).toEqual(['/data']);
    const storage = { size: '2Gi', className: '', sharedClaim: 'kaptain-shared' };
    const several = set({ replicas: 3, storage });
    expect(several?.spec.replicas).toBe(3);
    const mounts = several?.spec.template.spec.containers[0].volumeMounts.map(({ mountPath }) => mountPath);
    expect(mounts).toEqual(['/data', '/data/settings', '/data/keys', '/data/certificates']);
  });

  test('hands kaptain.json to each replica, which proxies in front of it need', () => {
    const config = { trustedProxies: ['10.0.0.0/8'], publicHosts: ['kaptain.example.com'] };
    const map = rendered({ config }).find(({ kind }) => kind === 'ConfigMap');
    expect(JSON.parse(map?.data['kaptain.json'] ?? '')).toEqual(config);
    const mounts = set({ config })?.spec.template.spec.containers[0].volumeMounts;
    expect(mounts?.map(({ mountPath }) => mountPath)).toEqual(['/data', '/data/kaptain.json']);
  });

  test('knows the values that its schema allows, and has a schema for each', () => {
    const schema = JSON.parse(text('helm', 'kaptain', 'values.schema.json')) as object;
    const values = parse(text('helm', 'kaptain', 'values.yaml')) as Record<string, object>;
    const isAllowed = new Ajv({ strict: false }).compile(schema);
    expect([isAllowed(values), isAllowed.errors]).toEqual([true, null]);
    for (const wrong of [
      { ...values, replicas: 'two' },
      { ...values, hots: 'db' },
      { ...values, database: { ...values['database'], kind: 'oracle' } },
    ])
      expect(isAllowed(wrong)).toBe(false);
  });
});
