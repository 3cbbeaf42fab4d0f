/** The behaviour of a simulated app on a reload. */
export type Behaviour =
  | 'succeeds'
  /** The script ends with an error. */
  | 'fails'
  /** Stops in the middle; GetProgress keeps reporting the same. */
  | 'hangs'
  /** The engine stops answering. */
  | 'stops answering'
  /** The engine closes the connection in the middle. */
  | 'closes'
  /** The engine sends text that is not JSON. */
  | 'sends invalid JSON';

interface SimulatedTable {
  name: string;
  rows: number;
  /** The values of its first field; by default made from the field's name. */
  keys?: { prefix: string; digits: number; first: number };
}

export interface SimulatedApp {
  id: string;
  name: string;
  tables: readonly SimulatedTable[];
  /** The duration of a full reload; a partial one takes a third. */
  reloadMs: number;
  behaviour: Behaviour;
  /** A reload stops in the middle until this is resolved. */
  held?: Promise<void>;
  /** The load of the script from another service: the fields of a key of the first table. */
  load?: () => Promise<LoadedRows>;
  /** The rows that the last reload has loaded in this way, as the data model has them. */
  loaded?: LoadedRows;
}

/** Fields beside a key, by the key. */
type LoadedRows = ReadonlyMap<string, Readonly<Record<string, string>>>;

export const simulatedApp = (id: string, differing: Partial<SimulatedApp> = {}): SimulatedApp => ({
  id,
  name: `Simulated ${id}`,
  tables: [
    { name: 'Facts', rows: 125_000 },
    { name: 'Customers', rows: 4200 },
    { name: 'Comments', rows: 812 },
  ],
  reloadMs: 4000,
  behaviour: 'succeeds',
  ...differing,
});

/** The script of an app, for GetScript and for its log. */
export const scriptOf = ({ name, tables }: SimulatedApp): string[] => [
  `// Simulated script of ${name}`,
  "SET ThousandSep=',';",
  ...tables.map((table) => `[${table.name}]: LOAD * FROM [lib://Simulated/${table.name}.qvd] (qvd);`),
];

/** The apps of `npm run platform-sim`: one per behaviour. */
export const exampleApps = (): SimulatedApp[] => [
  simulatedApp('6e0b1c2a-0000-4000-8000-000000000001', { name: 'Quick app', reloadMs: 2000 }),
  simulatedApp('6e0b1c2a-0000-4000-8000-000000000002', { name: 'Slow app', reloadMs: 60_000 }),
  simulatedApp('6e0b1c2a-0000-4000-8000-000000000003', { name: 'Failing app', behaviour: 'fails' }),
  simulatedApp('6e0b1c2a-0000-4000-8000-000000000004', { name: 'Hanging app', behaviour: 'hangs' }),
  simulatedApp('6e0b1c2a-0000-4000-8000-000000000005', { name: 'Dropping app', behaviour: 'closes' }),
];
