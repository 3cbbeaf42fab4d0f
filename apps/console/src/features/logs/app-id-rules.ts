import type { FormRule } from 'antd';

/** As the service checks it. */
export const appIdRules = (isRequired: boolean): FormRule[] => [
  ...(isRequired ? [{ required: true, whitespace: true, message: 'Please input the app ID!' }] : []),
  { pattern: /^\s*[\w.-]{0,100}\s*$/, message: 'An app ID has only letters, digits and - _ .' },
];
