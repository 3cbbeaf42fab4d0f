import type { FieldType } from '@kaptain/contract';
import { foldName, type Nouns, newId } from '@kaptain/store';
import { minutesAgo } from './random.ts';

/** Name, table, key field, owner, fields, number of granules. */
type Sketch = [string, string, string, string, Record<string, FieldType>, number];

const comment = { Comment: 'text', Status: 'text' } as const;

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
    { ...comment, RiskScore: 'number', Reviewed: 'boolean' },
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
    { ...comment, Done: 'boolean', DoneAt: 'timestamp' },
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
    const [name, table, keyField, owner, fields] = sketch;
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
      fields: Object.entries(fields).map(([field, type]) => ({ _id: newId(), name: field, type })),
      createdAt: minutesAgo(60_000 - place * 4000),
      updatedAt: minutesAgo(place * place * 90 + 12),
    });
    added.push({ id, appId, sketch });
  }
  return added;
}
