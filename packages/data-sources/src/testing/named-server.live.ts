import type { DataSourceType } from '@kaptain/contract';
import { afterAll, describe } from 'vitest';
import type { DataSource } from '../data-source.ts';
import { openDataSource } from '../open.ts';
import { dataSourceContract } from './data-source.contract.ts';
import { fieldFiltersContract } from './field-filters.contract.ts';
import { sharedTablesContract } from './shared-tables.contract.ts';

const { type, block, snowflakeUrl } = JSON.parse(process.env['KAPTAIN_LIVE_SOURCE'] ?? '{}') as {
  type: DataSourceType;
  block: Record<string, unknown>;
  snowflakeUrl?: string;
};

describe(`a data source on the named ${type} server`, () => {
  const opened = openDataSource(type, block, {
    allowedFolders: [],
    ...(snowflakeUrl !== undefined && { snowflakeUrl }),
  });
  const made = new Set<string>();
  // The suite drops its tables at the end.
  const source: DataSource = {
    ...opened,
    createTable(binding) {
      made.add(binding.table);
      return opened.createTable(binding);
    },
    ensureTable(binding) {
      made.add(binding.table);
      return opened.ensureTable(binding);
    },
  };
  afterAll(async () => {
    for (const table of made) await opened.dropTable(table, false).catch(() => undefined);
    await opened.close();
  }, 120_000);
  dataSourceContract(() => source);
  sharedTablesContract(() => source);
  fieldFiltersContract(() => source);
});
