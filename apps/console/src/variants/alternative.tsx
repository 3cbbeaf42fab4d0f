import { term, type Variant } from './variant.ts';

export const alternativeVariant: Variant = {
  words: {
    service: 'Commentary',
    komment: term('commentary', 'commentaries'),
    kapsule: term('data source', 'data sources'),
    granule: term('record', 'records'),
    database: term('storage', 'storages'),
    // Not "data source", which is what this variant calls a kapsule.
    dataSource: term('external storage', 'external storages'),
    ownDatabase: 'built-in',
    platform: 'Qlik',
  },
  pageTitle: 'Commentary',
  claim: 'Every figure with the words that explain it.',
  primary: {
    light: {
      base: '#0b7a4b',
      hover: '#09683f',
      active: '#075534',
      soft: '#e6f4ed',
      softHover: '#d3ebdf',
      border: '#a9d5bf',
    },
    dark: {
      base: '#56d19a',
      hover: '#74dcae',
      active: '#41bd86',
      soft: '#143024',
      softHover: '#1a3d2e',
      border: '#2b5c45',
    },
  },
  mark: (
    <path
      d="M8 9h16v11H15l-5 4v-4H8zM12.5 14.5h7"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};
