import { describe, expect, test } from 'vitest';
import type { Category } from '../errors.ts';
import { dialects } from '../open.ts';

/** Errors in the drivers' shapes, for the engines that the tests have no server of. */
const errors: Record<'mssql' | 'oracle' | 'snowflake', [object, Category | undefined][]> = {
  mssql: [
    [{ code: 'EREQUEST', number: 208 }, 'missingTable'],
    [{ code: 'EREQUEST', number: 229 }, 'privilege'],
    [{ code: 'EREQUEST', number: 2714 }, 'exists'],
    [{ code: 'EREQUEST', number: 3726 }, 'inUse'],
    [{ code: 'EREQUEST', number: 2628 }, 'tooLong'],
    [{ code: 'EREQUEST', number: 8115 }, 'overflow'],
    [{ code: 'EREQUEST', number: 515 }, 'value'],
    [{ code: 'EREQUEST', number: 1205 }, 'deadlock'],
    [{ code: 'EREQUEST', number: 1222 }, 'busy'],
    [{ code: 'ETIMEOUT', message: 'Timeout: Request failed to complete in 60000ms' }, 'timeout'],
    [{ code: 'ESOCKET', originalError: { code: 'SELF_SIGNED_CERT_IN_CHAIN' } }, 'tls'],
    [{ code: 'EREQUEST', number: 50_000 }, undefined],
  ],
  oracle: [
    [{ errorNum: 1017, code: 'ORA-01017' }, 'login'],
    [{ errorNum: 942, code: 'ORA-00942' }, 'missingTable'],
    [{ errorNum: 1031, code: 'ORA-01031' }, 'privilege'],
    [{ errorNum: 955, code: 'ORA-00955' }, 'exists'],
    [{ errorNum: 2449, code: 'ORA-02449' }, 'inUse'],
    [{ errorNum: 12899, code: 'ORA-12899' }, 'tooLong'],
    [{ errorNum: 40478, code: 'ORA-40478' }, 'tooLong'],
    [{ errorNum: 1438, code: 'ORA-01438' }, 'overflow'],
    [{ errorNum: 1400, code: 'ORA-01400' }, 'value'],
    [{ errorNum: 60, code: 'ORA-00060' }, 'deadlock'],
    [{ errorNum: 0, code: 'NJS-040' }, 'busy'],
    [{ errorNum: 0, code: 'NJS-123' }, 'timeout'],
    [{ errorNum: 0, code: 'NJS-506' }, 'tls'],
  ],
  snowflake: [
    [{ code: '390100' }, 'login'],
    [{ code: '002003' }, 'missingTable'],
    [{ code: '003001' }, 'privilege'],
    [{ code: '002002' }, 'exists'],
    [{ code: '100078' }, 'tooLong'],
    [{ code: '100046' }, 'overflow'],
    [{ code: '100072' }, 'value'],
    [{ code: '000625' }, 'busy'],
    [{ code: 401_001 }, 'refused'],
    [{ code: 401_001, cause: { code: 'SELF_SIGNED_CERT_IN_CHAIN' } }, 'tls'],
  ],
};

describe.each(Object.entries(errors))('%s', (type, known) => {
  test.each(known)('%j is classified as %s', (error, category) => {
    expect(dialects[type as keyof typeof errors].categoryOf(error)).toBe(category);
  });
});
