// Runs before the first paint and before any module; a file of its own, because the content security policy forbids inline scripts.
{
  // The chosen scheme must be known before the page is painted, or it flashes in the wrong one.
  let chosen;
  try {
    chosen = localStorage.getItem('kaptain.scheme');
  } catch {
    // Storage may be forbidden; the system's scheme is used then.
  }
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.scheme = dark ? 'dark' : 'light';

  // zod would try `new Function` while the schemas are made, which the content security policy reports as a violation.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
