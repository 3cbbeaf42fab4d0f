import {
  AuditOutlined,
  DatabaseOutlined,
  FileTextOutlined,
  HeartOutlined,
  HistoryOutlined,
  InfoCircleOutlined,
  KeyOutlined,
  SettingOutlined,
  TeamOutlined,
  UserOutlined,
} from '@ant-design/icons';
import type { Access } from '@kaptain/contract/route';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Words } from '../variants/variant.ts';
import { KapsuleName } from './KapsuleName.tsx';

export type MenuGroup = 'data' | 'system';

export interface Screen {
  path: string;
  /** As in the menu, the breadcrumb and the palette. */
  title(words: Words): string;
  /** The name of the object at an address with `:id`, in the breadcrumb instead of the title. */
  ObjectName?: ComponentType<{ id: string; otherwise: string }>;
  /** Spec 2: the users for whom the route is registered. */
  access: Extract<Access, 'loggedIn' | 'admin' | 'adminWithApiKeys'>;
  /** The menu group; `top` for an entry outside the groups. A screen without it has no entry. */
  menu?: MenuGroup | 'top';
  icon?: ComponentType<{ 'aria-hidden': boolean }>;
  /** Asks whether this service has the calls of a screen beyond SPEC. */
  isServed?: (signal: AbortSignal) => Promise<boolean>;
  Page: LazyExoticComponent<ComponentType>;
}

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

/** The registry of all screens behind the login, in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: '/data/kapsules',
    title: (words) => words.kapsule.Many,
    access: 'loggedIn',
    menu: 'data',
    icon: DatabaseOutlined,
    Page: page(async () => (await import('../features/kapsules/KapsulesPage.tsx')).KapsulesPage),
  },
  {
    path: '/data/kapsules/:id',
    title: (words) => words.granule.Many,
    ObjectName: KapsuleName,
    access: 'loggedIn',
    Page: page(async () => (await import('../features/granules/GranulesPage.tsx')).GranulesPage),
  },
  {
    path: '/system/logs',
    title: () => 'Logs',
    access: 'loggedIn',
    menu: 'data',
    icon: HistoryOutlined,
    Page: page(async () => (await import('../features/logs/LogsPage.tsx')).LogsPage),
  },
  {
    path: '/system/users',
    title: () => 'Users',
    access: 'admin',
    menu: 'system',
    icon: UserOutlined,
    Page: page(async () => (await import('../features/users/UsersPage.tsx')).UsersPage),
  },
  {
    path: '/system/groups',
    title: () => 'Groups',
    access: 'admin',
    menu: 'system',
    icon: TeamOutlined,
    Page: page(async () => (await import('../features/groups/GroupsPage.tsx')).GroupsPage),
  },
  {
    path: '/data/apikey',
    title: () => 'Api Key',
    access: 'adminWithApiKeys',
    menu: 'system',
    icon: KeyOutlined,
    Page: page(async () => (await import('../features/api-keys/ApiKeysPage.tsx')).ApiKeysPage),
  },
  {
    path: '/program/logs',
    title: () => 'System Logs',
    access: 'admin',
    menu: 'system',
    icon: FileTextOutlined,
    Page: page(async () => (await import('../features/system-logs/SystemLogsPage.tsx')).SystemLogsPage),
  },
  {
    path: '/data/setting',
    title: () => 'Settings',
    access: 'admin',
    menu: 'system',
    icon: SettingOutlined,
    Page: page(async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage),
  },
  {
    path: '/system/audit',
    title: () => 'Audit',
    access: 'admin',
    menu: 'system',
    icon: AuditOutlined,
    isServed: async (signal) => (await import('../api/audit.ts')).isAuditServed(signal),
    Page: page(async () => (await import('../features/audit/AuditPage.tsx')).AuditPage),
  },
  {
    path: '/account',
    title: () => 'My account',
    access: 'loggedIn',
    isServed: async (signal) => (await import('../api/account.ts')).isAccountServed(signal),
    Page: page(async () => (await import('../features/account/AccountPage.tsx')).AccountPage),
  },
  {
    path: '/about',
    title: () => 'About',
    access: 'loggedIn',
    menu: 'top',
    icon: InfoCircleOutlined,
    Page: page(async () => (await import('../features/about/AboutPage.tsx')).AboutPage),
  },
  {
    path: '/system/status',
    title: () => 'Status',
    access: 'admin',
    menu: 'top',
    icon: HeartOutlined,
    isServed: async (signal) => (await import('../api/status.ts')).isStatusServed(signal),
    Page: page(async () => (await import('../features/status/StatusPage.tsx')).StatusPage),
  },
];

export const LoginPage = page(async () => (await import('../features/session/LoginPage.tsx')).LoginPage);
