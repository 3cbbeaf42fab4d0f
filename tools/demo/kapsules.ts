import type { FieldType } from '@kaptain/contract';
import type { RuledField } from '@kaptain/contract/field-rules';
import { foldName, type Nouns, newId } from '@kaptain/store';
import { closingLocks } from './locks.ts';
import { minutesAgo } from './random.ts';

/** Name, table, key field, owner, fields, number of granules. */
type Sketch = [string, string, string, string, Record<string, FieldType | DemoField>, number];

type DemoField = Omit<RuledField, 'name'>;

/** The fields of a sketch with their rules. */
export const fieldsOf = ([, , , , fields]: Sketch): RuledField[] =>
  Object.entries(fields).map(([name, field]) => ({
    name,
    ...(typeof field === 'string' ? { type: field } : field),
  }));

const sites = ['Łódź', 'Zürich', 'Ōsaka', 'Pune', 'Monterrey', 'Recife'];

const comment = { Comment: 'text', Status: 'text' } as const;

/** A field for each type and rule that the other kapsules lack. */
const supplierRules: Record<string, DemoField> = {
  Incident: {
    type: 'paragraph',
    label: 'What happened',
    help: 'Two or three sentences; no names of persons.',
    max: 600,
  },
  Severity: {
    type: 'choice',
    required: true,
    choices: [
      { value: 'low', color: 'green' },
      { value: 'medium', color: 'gold' },
      { value: 'high', color: 'red' },
    ],
    default: 'low',
  },
  Measures: {
    type: 'choices',
    choices: ['audit', 'second source', 'stock', 'contract'].map((value) => ({ value })),
    max: 3,
  },
  Region: { type: 'choice', choices: ['Europe', 'Asia', 'Americas'].map((value) => ({ value })) },
  Site: {
    type: 'choice',
    choices: sites.map((value) => ({ value })),
    choicesBy: {
      field: 'Region',
      choices: { Europe: sites.slice(0, 2), Asia: sites.slice(2, 4), Americas: sites.slice(4) },
    },
  },
  Loss: { type: 'number', label: 'Expected loss', min: 0, decimals: 2, unit: '€', thousands: true },
  Ticket: { type: 'text', help: 'Written once.', pattern: 'SUP-\\d{4}', writeOnce: true },
  Trust: { type: 'rating' },
  DueDate: { type: 'date', min: '2020-01-01' },
  Contact: { type: 'person' },
  Contract: { type: 'link' },
};

const kapsuleSketches: readonly Sketch[] = [
  [
    'Sales forecast',
    'SalesForecast',
    'OpportunityID',
    'jonas.weber',
    { ...comment, Forecast: 'number', CloseDate: 'date' },
    100_000,
  ],
  [
    'Budget commentary 2027',
    'Budget',
    'AccountKey',
    'mara.lindqvist',
    { ...comment, Adjustment: 'number', Discussion: 'thread' },
    2400,
  ],
  [
    'Inventory corrections',
    'Inventory',
    'SKU',
    'tomasz.kowalski',
    { Comment: 'text', CountedQty: 'number', CountedAt: 'timestamp' },
    5200,
  ],
  [
    'Supplier risk notes',
    'Suppliers',
    'SupplierID',
    'amelie.durand',
    { ...comment, RiskScore: 'number', Reviewed: 'boolean', ...supplierRules },
    640,
  ],
  [
    'Customer churn reasons',
    'Churn',
    'CustomerID',
    'sofia.rossi',
    { Reason: 'text', Reasons: 'list', Confirmed: 'boolean' },
    1850,
  ],
  [
    'Monthly close checklist',
    'CloseTasks',
    'TaskID',
    'mara.lindqvist',
    { ...comment, Done: 'boolean', DoneAt: 'timestamp', Due: 'date' },
    312,
  ],
  [
    'Headcount plan',
    'Headcount',
    'PositionID',
    'ines.carvalho',
    { ...comment, StartDate: 'date', Cost: 'number' },
    980,
  ],
  ['Delivery delays', 'Deliveries', 'ShipmentNo', 'tomasz.kowalski', { ...comment, NewEta: 'date' }, 3100],
  [
    'Price approvals',
    'PriceList',
    'PriceKey',
    'oliver.bennett',
    { ...comment, ApprovedPrice: 'number', Approved: 'boolean' },
    1420,
  ],
  [
    'Quality incidents',
    'Incidents',
    'IncidentNo',
    'yuki.tanaka',
    { ...comment, RootCause: 'text', Severity: 'number' },
    265,
  ],
  [
    'Store visit reports',
    'Stores',
    'StoreID',
    'chloe.martin',
    { ...comment, VisitedOn: 'date', Photos: 'list' },
    410,
  ],
  [
    'Campaign feedback with a rather long name for the narrow columns',
    'Campaigns',
    'CampaignID',
    'very.long.owner.name@corp.example',
    comment,
    0,
  ],
];

export interface DemoKapsule {
  id: string;
  /** The app of the simulated platform; the last kapsule has none. */
  appId: string | null;
  sketch: Sketch;
}

/** The kapsule that the sheet of the demo shows, and the index of its app. */
export const SHEET_KAPSULE = 'Budget commentary 2027';
export const sheetApp = kapsuleSketches.findIndex(([name]) => name === SHEET_KAPSULE);

/** The kapsule of the demo that has locks. */
const LOCKED_KAPSULE = 'Monthly close checklist';

/** The keys of a kapsule's granules, as the rows of its app have them. */
export const keyAt = (table: string, place: number): string =>
  `${table.slice(0, 3).toUpperCase()}-${String(place + 1).padStart(6, '0')}`;

/** The apps that load the kapsules, by index. */
export const demoApps = kapsuleSketches.slice(0, -1).map(([name, table, , , , rows], place) => ({
  /** The first table: a row for each granule. */
  table: { name: table, rows, keys: { prefix: keyAt(table, 0).slice(0, 4), digits: 6, first: 1 } },
  id: `6e0b1c2a-0000-4000-8000-${String(place + 1).padStart(12, '0')}`,
  name: `${name} app`,
}));

/** The kapsules of a filled folder. */
export const knownKapsules = async (nouns: Nouns): Promise<DemoKapsule[]> => {
  const kapsules = await nouns.kapsules.all();
  return kapsuleSketches.flatMap((sketch) => {
    const found = kapsules.find(({ name }) => name === sketch[0]);
    return found ? [{ id: found.id, appId: found.appId ?? null, sketch }] : [];
  });
};

/** Adds 12 kapsules to the service's own store. */
export async function addKapsules(nouns: Nouns, userIds: Map<string, string>): Promise<DemoKapsule[]> {
  const added: DemoKapsule[] = [];
  for (const [place, sketch] of kapsuleSketches.entries()) {
    const [name, table, keyField, owner] = sketch;
    const appId = demoApps[place]?.id ?? null;
    const { id } = await nouns.kapsules.insert({
      name,
      appId,
      nameKey: foldName(name),
      database: 'kaptaindb',
      tableName: 'kaptaindb',
      table,
      keyField,
      owner,
      ownerId: userIds.get(owner) ?? '',
      fields: fieldsOf(sketch).map((field) => ({ _id: newId(), ...field })),
      ...(name === LOCKED_KAPSULE && { locks: closingLocks() }),
      createdAt: minutesAgo(60_000 - place * 4000),
      updatedAt: minutesAgo(place * place * 90 + 12),
    });
    added.push({ id, appId, sketch });
  }
  return added;
}
