import cluster from 'node:cluster';

if (cluster.isPrimary) {
  const { supervise } = await import('./supervisor/supervise.ts');
  supervise(import.meta.filename);
} else {
  const { work } = await import('./supervisor/work.ts');
  await work();
}
