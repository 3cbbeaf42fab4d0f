import { term, type Variant } from './variant.ts';

export const defaultVariant: Variant = {
  words: {
    service: 'Kaptain',
    komment: term('komment', 'komments'),
    kapsule: term('kapsule', 'kapsules'),
    granule: term('granule', 'granules'),
    database: term('database', 'databases'),
    dataSource: term('data source', 'data sources'),
    ownDatabase: 'kaptaindb',
    platform: 'Qlik',
  },
  pageTitle: 'Kaptain',
  claim: 'What your people know about the data, kept beside the data.',
  primary: {
    light: {
      base: '#1f5fd6',
      hover: '#1a50b8',
      active: '#16449c',
      soft: '#eaf1fd',
      softHover: '#d9e6fb',
      border: '#b5cdf7',
    },
    dark: {
      base: '#82b1ff',
      hover: '#9cc1ff',
      active: '#6b9ff5',
      soft: '#1b2a44',
      softHover: '#22355a',
      border: '#34507f',
    },
  },
  mark: (
    <path
      d="M10 8v16M22 8l-9 8 9 8"
      fill="none"
      stroke="currentColor"
      strokeWidth="3.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};
