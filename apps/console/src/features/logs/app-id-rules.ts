import { appIdText } from '@kaptain/contract/logs';
import type { FormRule } from 'antd';

/** As the service checks it. */
export const appIdRules = (isRequired: boolean): FormRule[] => [
  {
    validator: (_, value?: string) => {
      const typed = (value ?? '').trim();
      if (typed === '' && !isRequired) return Promise.resolve();
      const { error } = appIdText.safeParse(typed);
      return error ? Promise.reject(new Error(error.issues[0]?.message)) : Promise.resolve();
    },
  },
];
