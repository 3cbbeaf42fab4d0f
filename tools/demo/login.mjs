/** The accounts of the temporary demo, printed at its start. */
export const demoLogins = [
  { username: 'admin', password: 'kaptain-demo', role: 'ADMIN' },
  { username: 'mara.lindqvist', password: 'kaptain-demo', role: 'USER' },
];
