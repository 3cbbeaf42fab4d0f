import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StructureProposal } from '@kaptain/contract';
import { HOSTILE_CASES } from '@kaptain/qvd/testing/hostile';
import { afterEach, describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { type TestFile, upload } from '../../testing/multipart.ts';
import { good, qvdBytes, send } from '../../testing/qvd.ts';
import { readingLimits } from '../qvd-import/qvd-thread.ts';

const standard = { ...readingLimits };
afterEach(() => Object.assign(readingLimits, standard));

const shared = appOfFile();

const propose = (caller: Caller, file: TestFile) => upload(caller, '/api/kapsule/proposal/qvd', [file]);

async function proposed(caller: Caller, file: TestFile): Promise<StructureProposal> {
  const { status, body, text } = await propose(caller, file);
  expect([status, file.name, text.slice(0, 300)]).toEqual([200, file.name, expect.any(String)]);
  return body as unknown as StructureProposal;
}

/** The structure that the console sends when the person changes nothing. */
const structureOf = (name: string, { table, keyField, columns }: StructureProposal) => ({
  name,
  table,
  keyField: keyField ?? columns[0]?.name,
  fields: columns
    .filter((column) => column.name !== keyField)
    .map(({ name: field, type, decimals, choices }) => ({ name: field, type, decimals, choices })),
});

const rows = Array.from({ length: 40 }, (_, n) => [
  `A-${n}`,
  n % 2 === 0 ? 'open' : 'done',
  n + n / 4,
  46_000 + n,
  n % 3 === 0 ? -1 : 0,
  n === 3 ? null : `R${n}`,
  'a\nb',
]);
const columns = [
  'OrderID',
  'State',
  'Amount',
  { name: 'Due', type: 'date' },
  'Paid',
  'Ref',
  'Remark',
] as const;
const orders = { name: 'Orders 2026.qvd', content: qvdBytes(columns, rows, 'Orders') };

describe('the proposal of a structure for a QVD file', () => {
  it('is for those who may create', async () => {
    const { app, admin } = shared;
    const creator = await app.asUser('cora', { isCreate: true });
    for (const [caller, status] of [
      [app.asNobody, 401],
      [await app.asUser('vera'), 403],
      [creator, 200],
      [admin, 200],
    ] as const)
      expect((await propose(caller, good)).status).toBe(status);
  });

  it('has the key, the types, the decimals and the choices of its values, and the first rows; nothing is stored', async () => {
    const { app, admin } = shared;
    const before = [await app.store.audit.all(), await app.store.kapsules.all()];
    const { firstRows, ...proposal } = await proposed(admin, orders);
    const field = (name: string, type: string, more = {}) => ({ name, type, isKey: false, ...more });
    expect(proposal).toEqual({
      name: 'Orders 2026',
      table: 'Orders',
      keyField: 'OrderID',
      columns: [
        field('OrderID', 'text', { isKey: true }),
        field('State', 'choice', { choices: [{ value: 'open' }, { value: 'done' }] }),
        field('Amount', 'number', { decimals: 2, isKey: true }),
        field('Due', 'date', { isKey: true }),
        field('Paid', 'boolean'),
        // One of its rows is empty.
        field('Ref', 'text'),
        field('Remark', 'paragraph'),
      ],
      leftOut: { count: 0, first: [] },
      rows: 40,
    });
    expect(firstRows).toHaveLength(5);
    expect(firstRows[3]?.slice(0, 3)).toEqual(['A-3', 'done', '3.75']);
    expect(firstRows[3]?.[5]).toBe('');
    expect([await app.store.audit.all(), await app.store.kapsules.all()]).toEqual(before);
    expect(readdirSync(join(app.folder, 'tmp'))).toEqual([]);
  });

  it('leaves out columns that can’t be fields, and cuts what makes an answer long', async () => {
    const { admin } = shared;
    const names = ['id', 'ID', '__proto__', 'constructor', 'x'.repeat(300), 'nothing', '\u200b'];
    const content = qvdBytes(names, [['1', '1', 'p', 'c', 'x', null, 'y'.repeat(5_000)]]);
    const proposal = await proposed(admin, { name: `${'n'.repeat(200)}.qvd`, content });
    expect(proposal.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'number'],
      ['__proto__', 'text'],
      ['constructor', 'text'],
      ['nothing', 'text'],
    ]);
    expect(proposal.leftOut.count).toBe(3);
    const wide = Array.from({ length: 1_100 }, (_, n) => `${n} ${'ü'.repeat(240)}`);
    const many = await propose(admin, {
      name: 'wide.qvd',
      content: qvdBytes(
        wide,
        Array.from({ length: 10 }, (_, row) => wide.map((_, n) => `${'z'.repeat(50)}${n} ${row % 2}`)),
      ),
    });
    expect(many.status).toBe(200);
    expect(many.text.length).toBeLessThan(1024 * 1024);
    expect((many.body['leftOut'] as { count: number }).count).toBe(99);
  });

  it('makes a kapsule into which the same file is imported without a refused row', async () => {
    const { admin } = shared;
    const folder = join(import.meta.dirname, '..', '..', '..', '..', '..', 'packages', 'qvd', 'samples');
    const samples = readdirSync(folder).filter((name) => name.endsWith('.qvd') && !name.includes('damaged'));
    const imported: string[] = [];
    for (const file of samples) {
      const content = readFileSync(join(folder, file));
      const proposal = await proposed(admin, { name: file, content });
      if (proposal.columns.length < 2) continue;
      const { status, body } = await admin.post('/api/kapsule', structureOf(`From ${file}`, proposal));
      expect([file, status, body.message]).toEqual([file, 200, undefined]);
      const { body: answer, status: imports } = await send(admin, String(body['_id']), [
        { name: file, content },
      ]);
      expect([file, imports, answer.message]).toEqual([file, 200, undefined]);
      // Rows without the first column, which stands in for a key here, are left out.
      expect([file, Number(answer['rows']) <= proposal.rows]).toEqual([file, true]);
      expect([file, proposal.keyField === null || answer['rows'] === proposal.rows]).toEqual([file, true]);
      imported.push(file);
    }
    expect(imported.length).toBeGreaterThan(5);
  });

  it('refuses hostile files with a message, leaves none behind, and reads the next one', async () => {
    const { app, admin } = shared;
    let refused = 0;
    for (const { name, input } of HOSTILE_CASES) {
      const content = input();
      if (!(content instanceof Uint8Array)) continue;
      const { status, body } = await propose(admin, { name: 'hostile.qvd', content });
      if (status === 200) continue;
      refused += 1;
      expect([name, status, body.message]).toEqual([name, 400, expect.stringMatching(/^hostile\.qvd: /)]);
    }
    expect(refused).toBeGreaterThan(50);
    const wrong = await propose(admin, { name: 'orders.csv', content: 'id;name' });
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('orders.csv')]);
    expect((await propose(admin, good)).status).toBe(200);
    expect(readdirSync(join(app.folder, 'tmp'))).toEqual([]);
    expect(app.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it('is ended when it takes too long', async () => {
    readingLimits.timeMs = 1;
    expect((await propose(shared.admin, orders)).body.message).toContain('took too long');
  });
});
