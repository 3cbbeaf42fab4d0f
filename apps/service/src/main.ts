import cluster from 'node:cluster';

if (cluster.isPrimary) {
  const { supervise } = await import('./operations/supervisor/supervise.ts');
  supervise(import.meta.filename);
} else {
  const { work } = await import('./operations/supervisor/work.ts');
  await work(() => import('./start.ts'));
}
