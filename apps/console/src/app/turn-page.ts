import { startAt } from '../shared/start-at.ts';

/** Goes to the next or previous page of the table; on a page without one, to the next or previous section. */
export function turnPage(step: 1 | -1): boolean {
  const main = document.querySelector('main');
  const pager = main?.querySelector('.ant-pagination');
  if (pager) {
    const arrow = pager.querySelector<HTMLElement>(
      step > 0 ? '.ant-pagination-next' : '.ant-pagination-prev',
    );
    // The first and the last page stay where they are.
    if (arrow?.getAttribute('aria-disabled') === 'true') return true;
    arrow?.click();
    startAt(pager.closest<HTMLElement>('.ant-table-wrapper'));
    return true;
  }
  const sections = [
    ...(main?.querySelectorAll<HTMLElement>('section:is([aria-label], [aria-labelledby])') ?? []),
  ];
  const active = document.activeElement ?? document.body;
  const isPassed = (section: Element) =>
    section.contains(active) ||
    (section.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const current = main?.contains(active) ? sections.findLastIndex(isPassed) : -1;
  const target = sections[Math.max(current + step, 0)];
  if (!target) return sections.length > 0;
  startAt(target);
  return true;
}
