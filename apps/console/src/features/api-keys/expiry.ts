const DAY_MS = 86_400_000;

const days: Record<string, number> = { '30': 30, '90': 90, '365': 365 };

export const expiries = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** The time of a choice. */
export const expiryOf = (choice: string, now: number): string =>
  new Date(now + (days[choice] ?? 0) * DAY_MS).toISOString();

export const isExpired = (expiresAt: string, now: number): boolean => Date.parse(expiresAt) <= now;
