import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../../testing/enter.ts';
import { refuse } from '../../../testing/fake-service.ts';
import { fieldOf as field, labelled } from '../../../testing/labelled.ts';
import { renderSections } from '../render-sections.tsx';
import { freshSettings, fullSettings } from '../settings-fixture.ts';
import { DatabaseSection } from './DatabaseSection.tsx';
import { DataSourcesSection } from './DataSourcesSection.tsx';
import { LoggingSection } from './LoggingSection.tsx';
import { PlatformSection } from './PlatformSection.tsx';
import { SecuritySection } from './SecuritySection.tsx';
import { SystemSection } from './SystemSection.tsx';

function open(...args: Parameters<typeof renderSections>) {
  const { user, ...shown } = renderSections(...args);
  return {
    ...shown,
    user,
    submit: () => user.click(screen.getByText('Submit')),
    choose: async (label: string, option: string) => {
      await user.click(field(label));
      await user.click(await screen.findByTitle(option));
    },
  };
}
const at = (id: string) => document.getElementById(`setting_${id}`) as HTMLInputElement;
const texts = (selector: string, place: ParentNode = document) =>
  Array.from(place.querySelectorAll(selector), ({ textContent }) => textContent);
const errors = (place?: ParentNode) => texts('.ant-form-item-explain-error', place);
const refused = (...expected: string[]) => waitFor(() => expect(errors()).toEqual(expected));
const message = (text: string) => screen.findByText(text, { selector: '.ant-message *' });
const offered = () => texts('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option');

test('HTTPS shows the certificate files that it needs, and turned off it turns PFX off and clears its password', async () => {
  const { user, submit } = open(<SystemSection />, { settings: { hasFile: () => ({ exists: false }) } });
  const https = field('HTTPS');
  const pfx = () => field('Use PFX certificate');
  const files = () =>
    Array.from(document.querySelectorAll('.ant-upload button'), (button) =>
      button.getAttribute('aria-label'),
    );
  expect([field('Port').value, field('Port').disabled]).toEqual(['8000', true]);
  expect([pfx().disabled, labelled('HSTS'), files()]).toEqual([true, null, []]);
  await user.click(https);
  expect(field('HSTS').checked).toBe(false);
  expect(files()).toEqual(['Upload .pem: Server PEM', 'Upload .pem: Server Key PEM']);
  expect(await screen.findAllByText('No file yet')).toHaveLength(2);
  await user.click(pfx());
  expect(files()).toEqual(['Upload .pfx: Server PFX']);
  enter(field('PFX Password'), 'secret');
  await user.click(https);
  expect([pfx().disabled, pfx().checked, files()]).toEqual([true, false, []]);
  await user.click(https);
  await user.click(pfx());
  expect(field('PFX Password').value).toBe('');
  await submit();
  await refused('Server PFX is required!');
});

test('each mode of the platform has its fields, and a certificate file is shown once it is stored', async () => {
  let isJunk = true;
  const junk = 'This is neither a certificate nor a key in PEM format.';
  const stored = `platform/0123abcd${'0'.repeat(24)}-client.pem`;
  const { user, submit } = open(<PlatformSection />, {
    settings: {
      hasFile: () => ({ exists: true }),
      importFile: () => (isJunk ? refuse('BAD_INPUT', junk) : stored),
    },
  });
  const leave = (label: string, text: string) => {
    enter(field(label), text);
    fireEvent.blur(field(label));
    return field(label).value;
  };
  await screen.findByText('Connection mode');
  expect(leave('Engine Hostname', 'qlik.example.com')).toBe('qlik.example.com:4747');
  expect(leave('Repository Hostname', 'qlik.example.com')).toBe('qlik.example.com:4242');
  enter(field('Qlik User ID'), 'sa_api');
  enter(field('Qlik User Directory'), 'INTERNAL');
  await user.click(field('Use Qlik local certificates'));
  await submit();
  await refused('Certificate File is required!', 'Key File is required!', 'Root File is required!');

  const certificate = at('hosts_CERT_certFile').closest('.ant-form-item') as HTMLElement;
  expect(certificate.textContent).toContain('No file yet');
  const send = (name: string) =>
    fireEvent.change(certificate.querySelector('input[type=file]') as Element, {
      target: { files: [new File(['x'], name)] },
    });
  send('client.pfx');
  expect(await message('Only .pem files are accepted: client.pfx')).toBeTruthy();
  send('client.pem');
  expect(await message(junk)).toBeTruthy();
  isJunk = false;
  send('client.pem');
  expect(await message('Uploaded successfully!')).toBeTruthy();
  expect(within(certificate).getByRole('img', { name: 'Uploaded' })).toBeTruthy();
  expect(within(certificate).getByText('client.pem (0123abcd)')).toBeTruthy();
  await refused('Key File is required!', 'Root File is required!');

  await user.click(screen.getByText('JWT'));
  await submit();
  await refused('Engine Hostname is required!', 'Key File is required!');
  expect(field('Qlik User ID').value).toBe('sa_api');
  await user.click(screen.getByText('SaaS'));
  expect(labelled('Qlik User ID')).toBeNull();
  await submit();
  await refused('Tenant Hostname is required!', 'API Key is required!');
  expect(leave('Tenant Hostname', 'https://tenant.eu.qlikcloud.com/hub?x=1')).toBe('tenant.eu.qlikcloud.com');
  await user.click(screen.getByText('Desktop'));
  expect(screen.getByText('localhost:9076')).toBeTruthy();
});

test('origins, the lifetime of a session and the level of the log are checked as they are entered', async () => {
  const { user, submit } = open([
    <SystemSection key="system" />,
    <SecuritySection key="security" />,
    <LoggingSection key="logs" />,
  ]);
  const origin = await screen.findByPlaceholderText('https://hub.example.com');
  enter(origin, 'not a domain');
  await submit();
  await refused('Please enter a valid domain name');
  enter(origin, 'https://hub.example.com/sense/app?a=b');
  await user.type(origin, '{Enter}');
  await refused();
  expect(texts('li', screen.getByRole('list', { name: 'Qlik Hub URL' }))).toEqual([
    'https://hub.example.com',
  ]);

  expect([field('Sign Expires In').value, screen.getByText('hours')]).toEqual(['24', expect.anything()]);
  for (const [typed, problem] of [
    ['x', 'Sign Expires In is not a valid number!'],
    ['-1', 'Sign Expires In must be between 0 and 720'],
    ['1.5', 'Sign Expires In is not a valid number!'],
    ['', 'Sign Expires In is required!'],
  ] as const) {
    enter(field('Sign Expires In'), typed);
    await refused(problem);
  }
  enter(field('Sign Expires In'), '0');
  await refused();
  await user.click(field('Log level'));
  expect(offered()).toEqual(['debug', 'warn', 'info', 'error']);
});

test('each database has its fields and port, and only the built-in one has backups, whose number is checked', async () => {
  const { user, submit, choose } = open(<DatabaseSection isFixed />);
  expect(screen.getByText(/^The environment of the service names its database:/)).toBeTruthy();
  expect(texts('#database .ant-radio-button-wrapper')).toEqual(['Built-in', 'mongodb', 'postgres']);
  expect(labelled('Backups to keep')).toBeNull();
  await choose('Backup', 'Every day');
  expect(field('Backups to keep').value).toBe('7');
  enter(field('Backups to keep'), '0');
  await refused('Backups to keep must be between 1 and 365');
  for (const [type, port] of [
    ['mongodb', '27017'],
    ['postgres', '5432'],
  ] as const) {
    await user.click(screen.getByText(type));
    expect(at('db_KAPTAIN_DB_PORT').value).toBe(port);
  }
  expect(labelled('Backups to keep')).toBeNull();
  enter(at('db_KAPTAIN_DB_PORT'), 'many');
  await submit();
  const rest = ['User is required!', 'Name is required!'];
  await refused('Host is required!', 'Port is not a valid number!', ...rest);
  enter(at('db_KAPTAIN_DB_PORT'), '70000');
  await refused('Host is required!', 'Port must be between 1 and 65535', ...rest);
});

test('every type of data source has its fields and port, is offered while it is missing, and is removed after a question', async () => {
  const info = freshSettings({ mssql: {}, oracle: {}, postgresql: {}, snowflake: {} });
  const { user, submit } = open(<DataSourcesSection />, { info });
  await user.click(screen.getByText('Add data source'));
  expect(await screen.findByText('Please Select Data Source Type!')).toBeTruthy();
  await user.click(field('Data Source Type'));
  expect(offered()).toEqual(['MySQL']);
  await user.click(screen.getByTitle('MySQL'));
  await user.click(screen.getByText('Add data source'));
  expect(labelled('Data Source Type')).toBeNull();
  expect([document.activeElement, at('mysql_MYSQL_POOL').value]).toEqual([at('mysql_MYSQL_POOL'), '0']);
  await submit();
  const card = (type: string) => document.querySelector(`[aria-labelledby=source-${type}]`) ?? undefined;
  await waitFor(() => expect(errors(card('snowflake'))).toHaveLength(4));
  for (const [type, port, ...required] of [
    ['mssql', '1433', 'Server', 'User'],
    ['oracle', '1521', 'Server', 'Library path', 'User', 'Database'],
    ['mysql', '3306', 'Server', 'User', 'Database'],
    ['postgresql', '5432', 'User', 'Server', 'Database'],
    ['snowflake', undefined, 'Account', 'User name', 'Database', 'Schema'],
  ] as const) {
    expect(labelled('Port', card(type))?.value).toBe(port);
    expect(errors(card(type))).toEqual(required.map((label) => `${label} is required!`));
  }
  expect(texts('article h3')).toEqual(['MSSQL', 'Oracle', 'PostgreSQL', 'Snowflake', 'MySQL']);
  for (const answer of ['Cancel', 'Yes']) {
    const remover = document.querySelector('[aria-label="Remove MySQL"]') as Element;
    await user.click(remover);
    const [title] = await screen.findAllByText('Are you sure to remove MySQL?');
    await user.click(within(title?.closest('[role=dialog]') as HTMLElement).getByText(answer));
    await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull());
    expect(card('mysql') !== undefined).toBe(answer === 'Cancel');
    const next = answer === 'Cancel' ? remover : document.getElementById('data-sources');
    await waitFor(() => expect(document.activeElement).toBe(next));
  }
  expect(labelled('Data Source Type')).toBeTruthy();
});

test('the alternative variant does not call an SQL database of the settings what it calls a kapsule', async () => {
  const { user } = open(<DataSourcesSection />, { variant: 'alternative' });
  expect(screen.getByText('There is no external storage yet.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'External Storage List' })).toBeTruthy();
  await user.click(screen.getByText('Add external storage'));
  expect(await screen.findByText('Please Select External Storage Type!')).toBeTruthy();
  expect(screen.getByText('Error: No dataSourceType!')).toBeTruthy();
});

test('a stored secret is cleared and kept, and the result of a connection test disappears when what was tested is changed', async () => {
  const { user, changes } = open([<PlatformSection key="platform" />, <DataSourcesSection key="sources" />], {
    info: fullSettings(),
    settings: {
      testConnection: () => ({ ok: false, category: 'unknownHost', message: 'No such host.' }),
    },
  });
  const card = within(screen.getByText('MySQL').closest('article') as HTMLElement);
  const password = at('mysql_MYSQL_PASSWORD');
  const shown = () => [password.value, password.placeholder];
  expect(shown()).toEqual(['', '•••••••• (set)']);
  await user.click(card.getByText('Clear'));
  expect(shown()).toEqual(['', 'Will be cleared']);
  expect(changes()).toEqual(['MySQL · Password: set → not set']);
  await user.click(card.getByText('Keep'));
  expect(shown()).toEqual(['', '•••••••• (set)']);
  expect(changes()).toEqual([]);

  await user.click(screen.getByLabelText('Test connection: Qlik'));
  expect(await screen.findByText('Host not found')).toBeTruthy();
  enter(field('Engine Hostname'), 'other.example.com');
  await waitFor(() => expect(screen.queryByText('Host not found')).toBeNull());
});
