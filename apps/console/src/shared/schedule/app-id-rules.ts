import { appIdText } from '@kaptain/contract/logs';
import type { FormRule } from 'antd';

/** Why the service would refuse this app id; undefined if it takes it. */
export function appIdProblem(value: string | undefined, isRequired: boolean): string | undefined {
  const typed = (value ?? '').trim();
  return typed === '' && !isRequired ? undefined : appIdText.safeParse(typed).error?.issues[0]?.message;
}

export const appIdRules = (isRequired: boolean): FormRule[] => [
  {
    validator: async (_, value?: string) => {
      const problem = appIdProblem(value, isRequired);
      if (problem !== undefined) throw new Error(problem);
    },
  },
];
