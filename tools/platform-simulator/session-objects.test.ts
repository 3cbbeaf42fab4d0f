import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import enigma from 'enigma.js';
import schema from 'enigma.js/schemas/12.20.0.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { simulatedApp } from './apps.ts';
import { type Simulator, startSimulator } from './simulator.ts';

const folder = mkdtempSync(join(tmpdir(), 'kaptain-objects-'));
let simulator: Simulator;
beforeAll(async () => {
  const app = simulatedApp('sheet', { tables: [{ name: 'Facts', rows: 1_030 }] });
  simulator = await startSimulator({ folder, apps: [app] });
});
afterAll(async () => {
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Layout {
  qInfo: { qId: string };
  qHyperCube: { qSize: object; qDimensionInfo: object[]; qMeasureInfo: object[] };
}
interface Table {
  id: string;
  getLayout(): Promise<Layout>;
  getHyperCubeData(
    path: string,
    pages: object[],
  ): Promise<{ qMatrix: { qText: string; qAttrExps?: object }[][] }[]>;
  selectHyperCubeValues(path: string, dimension: number, values: number[], toggle: boolean): Promise<boolean>;
}
interface Doc {
  createSessionObject(properties: object): Promise<Table>;
  destroySessionObject(id: string): Promise<boolean>;
}

/** A table of two dimensions and a measure, by the real client of the engine. */
async function openTable(work: (table: Table, doc: Doc) => Promise<void>): Promise<void> {
  const url = `ws://localhost:${simulator.ports.desktop}/app/engineData`;
  const session = enigma.create({
    schema,
    url,
    createSocket: (address: string) => new WebSocket(address) as never,
  });
  try {
    const global = (await session.open()) as unknown as { openDoc(id: string): Promise<Doc> };
    const doc = await global.openDoc('sheet');
    const qHyperCubeDef = {
      qDimensions: [
        { qDef: { qFieldDefs: ['Order'] }, qAttributeExpressions: [{ qExpression: "=[Order]<>'Order 1'" }] },
        { qDef: { qFieldDefs: ['r'], qFieldLabels: ['Region'] } },
      ],
      qMeasures: [{ qDef: { qDef: 'Sum(Sales)' } }],
    };
    await work(await doc.createSessionObject({ qInfo: { qType: 'table' }, qHyperCubeDef, own: 1 }), doc);
  } finally {
    await session.close();
  }
}

describe('a table on the simulated engine', () => {
  it('has a layout with the size and the titles of its hypercube, and its own properties', () =>
    openTable(async (table) => {
      expect(await table.getLayout()).toMatchObject({
        own: 1,
        qInfo: { qId: table.id },
        qHyperCube: {
          qSize: { qcx: 3, qcy: 1_030 },
          qDimensionInfo: [{ qFallbackTitle: 'Order' }, { qFallbackTitle: 'Region' }],
          qMeasureInfo: [{ qFallbackTitle: 'Sum(Sales)' }],
        },
      });
    }));

  it('answers pages to the end of the data, the same each time', () =>
    openTable(async (table) => {
      const page = (qTop: number, qHeight: number) =>
        table.getHyperCubeData('/qHyperCubeDef', [{ qTop, qLeft: 0, qWidth: 3, qHeight }]);
      const [last] = await page(1_000, 100);
      expect(last?.qMatrix).toHaveLength(30);
      expect(last?.qMatrix[0]?.map(({ qText }) => qText)).toEqual(['Order 1000', 'Region 6', '0']);
      expect(await page(1_000, 100)).toEqual([last]);
      const [beyond] = await page(5_000, 10);
      expect(beyond?.qMatrix).toEqual([]);
    }));

  it('has the selected rows only, until nothing is selected', () =>
    openTable(async (table) => {
      const keys = async () => {
        const { qHyperCube } = await table.getLayout();
        const page = { qTop: 0, qLeft: 0, qWidth: 1, qHeight: 5 };
        const [data] = await table.getHyperCubeData('/qHyperCubeDef', [page]);
        return [qHyperCube.qSize, data?.qMatrix.map(([cell]) => cell?.qText)];
      };
      await table.selectHyperCubeValues('/qHyperCubeDef', 0, [7, 3, 5_000], false);
      expect(await keys()).toEqual([{ qcx: 3, qcy: 2 }, ['Order 3', 'Order 7']]);
      await table.selectHyperCubeValues('/qHyperCubeDef', 0, [], false);
      expect((await keys())[0]).toEqual({ qcx: 3, qcy: 1_030 });
      expect(await table.selectHyperCubeValues('/other', 0, [1], false)).toBe(false);
    }));

  it('evaluates the one expression of a dimension’s attributes that is simulated', () =>
    openTable(async (table) => {
      const page = { qTop: 0, qLeft: 0, qWidth: 1, qHeight: 2 };
      const [data] = await table.getHyperCubeData('/qHyperCubeDef', [page]);
      expect(data?.qMatrix.map(([cell]) => cell?.qAttrExps)).toEqual([
        { qValues: [{ qNum: 1 }] },
        { qValues: [{ qNum: 0 }] },
      ]);
    }));

  it('refuses another path and more than 10,000 cells', () =>
    openTable(async (table) => {
      const page = { qTop: 0, qLeft: 0, qWidth: 3, qHeight: 4_000 };
      await expect(table.getHyperCubeData('/qHyperCubeDef', [page])).rejects.toThrow('too large');
      await expect(table.getHyperCubeData('/other', [])).rejects.toThrow('Invalid path');
    }));

  it('is gone after it was destroyed', () =>
    openTable(async (table, doc) => {
      await doc.destroySessionObject(table.id);
      await expect(table.getLayout()).rejects.toThrow('Invalid handle');
    }));
});
