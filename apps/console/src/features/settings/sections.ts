import { titleOf, type Words } from '../../variants/variant.ts';

/** The fragments of the address, one per part of the page. */
export const sectionId = {
  system: 'system',
  security: 'security',
  platform: 'platform-connection',
  database: 'database',
  dataSources: 'data-sources',
  license: 'license',
  logs: 'logs',
  submit: 'submit',
} as const;
export type SectionKey = keyof typeof sectionId;

/** Spec 2: the entries of the side index, in this order and with these names. */
export const sectionTitles = ({ database, dataSource }: Words): Record<SectionKey, string> => ({
  system: 'System',
  security: 'Security',
  platform: 'Platform Connection',
  database: `${database.one} settings`,
  dataSources: `${titleOf(dataSource)} List`,
  license: 'License',
  logs: 'Logs',
  submit: 'Submit',
});
