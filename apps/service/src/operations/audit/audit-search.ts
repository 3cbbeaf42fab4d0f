import { auditActions } from '@kaptain/contract';
import { type AuditRecord, foldText } from '@kaptain/store';

/** Names and values at any depth; JSON would hide quotes and backslashes behind others. */
function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value)) texts.push(...Object.keys(value));
    for (const entry of Object.values(value)) collect(entry, texts);
  }
}

/** The test whether an entry has the text: who, what, target, address, request, or any value before or after. */
export function searchTest(q: string): (entry: AuditRecord) => boolean {
  const wanted = foldText(q.trim());
  if (wanted === '') return () => true;
  const labels: Partial<Record<string, string>> = auditActions;
  return ({ actor, action, target, targetName, ip, requestId, before, after }) => {
    const texts: string[] = [];
    collect([actor, action, labels[action], target, targetName, ip, requestId, before, after], texts);
    return foldText(texts.join('\n')).includes(wanted);
  };
}
