import { api } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { html } from '../http/html.ts';
import { testApp } from '../testing/test-app.ts';
import { schemaText } from './schema-text.ts';

const routes = Object.values(api).flatMap((noun) => Object.values(noun));

describe('/docs', () => {
  it('shows every call without a login and without a script', async () => {
    await using app = await testApp();
    const { status, text, headers } = await app.asNobody.get('/docs');
    expect(status).toBe(200);
    for (const { path } of routes) expect(text).toContain(`<code>${path.replace(/:(\w+)/g, '{$1}')}</code>`);
    expect(text).toContain('<summary><code>Kapsule</code></summary>');
    expect(text).not.toMatch(/<script|style=|onclick/);
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'");
    expect((await app.asNobody.get('/docs/style.css')).headers['content-type']).toBe(
      'text/css; charset=utf-8',
    );
  });

  it('has the same calls for programs, as OpenAPI 3.1', async () => {
    await using app = await testApp();
    const { body } = await app.asNobody.get('/docs/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '9.8.7' } });
    const operations = Object.values(body['paths'] as object).flatMap((path) => Object.keys(path as object));
    expect(operations).toHaveLength(routes.length);
  });
});

describe('a schema in words', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 255 }, 'string (1–255 characters)'],
    [{ type: 'array', items: { enum: ['READ', 'DELETE'] } }, '"READ" | "DELETE"[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [
      { type: 'object', properties: { a: { type: 'number' }, b: {} }, required: ['a'] },
      '{\n  a: number\n  b?: anything\n}',
    ],
    [{ type: 'object', additionalProperties: {} }, '{ [name]: anything }'],
    [{ $ref: '#/components/schemas/Error' }, 'Error'],
  ])('%o', (schema, text) => {
    expect(schemaText(schema)).toBe(text);
  });

  it('never becomes HTML', () => {
    expect(html`<b>${'<i>&"\''}</b>${[html`<u>`, 1]}`.source).toBe('<b>&lt;i&gt;&amp;&quot;&#39;</b><u>1');
  });
});
