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
import type { ComponentType } from 'react';
import { isAccountServed } from '../api/account.ts';
import { isAuditServed } from '../api/audit.ts';
import { type LazyPart, lazyPart } from '../api/load-code.ts';
import { isStatusServed } from '../api/status.ts';
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
  /** Is marked in the menu while the last reload of an app has failed. */
  tellsOfReloads?: true;
  /** Asks whether this service has the calls of a screen beyond SPEC. */
  isServed?: (signal: AbortSignal) => Promise<boolean>;
  Page: LazyPart<object>;
}

/** The registry of all screens behind the login, in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: '/data/kapsules',
    title: (words) => words.kapsule.Many,
    access: 'loggedIn',
    menu: 'data',
    icon: DatabaseOutlined,
    Page: lazyPart('KapsulesPage', () => import('../features/kapsules/KapsulesPage.tsx')),
  },
  {
    path: '/data/kapsules/:id',
    title: (words) => words.granule.Many,
    ObjectName: KapsuleName,
    access: 'loggedIn',
    Page: lazyPart('GranulesPage', () => import('../features/granules/GranulesPage.tsx')),
  },
  {
    path: '/data/kapsules/:id/misfits',
    title: () => 'Values that do not fit',
    access: 'loggedIn',
    Page: lazyPart('MisfitsPage', () => import('../features/granules/misfits/MisfitsPage.tsx')),
  },
  {
    path: '/system/logs',
    title: () => 'Logs',
    access: 'loggedIn',
    menu: 'data',
    icon: HistoryOutlined,
    tellsOfReloads: true,
    Page: lazyPart('LogsPage', () => import('../features/logs/LogsPage.tsx')),
  },
  {
    path: '/system/users',
    title: () => 'Users',
    access: 'admin',
    menu: 'system',
    icon: UserOutlined,
    Page: lazyPart('UsersPage', () => import('../features/users/UsersPage.tsx')),
  },
  {
    path: '/system/groups',
    title: () => 'Groups',
    access: 'admin',
    menu: 'system',
    icon: TeamOutlined,
    Page: lazyPart('GroupsPage', () => import('../features/groups/GroupsPage.tsx')),
  },
  {
    path: '/data/apikey',
    title: () => 'Api Key',
    access: 'adminWithApiKeys',
    menu: 'system',
    icon: KeyOutlined,
    Page: lazyPart('ApiKeysPage', () => import('../features/api-keys/ApiKeysPage.tsx')),
  },
  {
    path: '/program/logs',
    title: () => 'System Logs',
    access: 'admin',
    menu: 'system',
    icon: FileTextOutlined,
    Page: lazyPart('SystemLogsPage', () => import('../features/system-logs/SystemLogsPage.tsx')),
  },
  {
    path: '/data/setting',
    title: () => 'Settings',
    access: 'admin',
    menu: 'system',
    icon: SettingOutlined,
    Page: lazyPart('SettingsPage', () => import('../features/settings/SettingsPage.tsx')),
  },
  {
    path: '/system/audit',
    title: () => 'Audit',
    access: 'admin',
    menu: 'system',
    icon: AuditOutlined,
    isServed: isAuditServed,
    Page: lazyPart('AuditPage', () => import('../features/audit/AuditPage.tsx')),
  },
  {
    path: '/account',
    title: () => 'My account',
    access: 'loggedIn',
    isServed: isAccountServed,
    Page: lazyPart('AccountPage', () => import('../features/account/AccountPage.tsx')),
  },
  {
    path: '/about',
    title: () => 'About',
    access: 'loggedIn',
    menu: 'top',
    icon: InfoCircleOutlined,
    Page: lazyPart('AboutPage', () => import('../features/about/AboutPage.tsx')),
  },
  {
    path: '/system/status',
    title: () => 'Status',
    access: 'admin',
    menu: 'top',
    icon: HeartOutlined,
    tellsOfReloads: true,
    isServed: isStatusServed,
    Page: lazyPart('StatusPage', () => import('../features/status/StatusPage.tsx')),
  },
];

/** Shown instead of any screen to an ADMIN who still has to set up the second factor that the settings require. */
export const RequiredFactorPage = lazyPart(
  'RequiredFactorPage',
  () => import('../features/account/RequiredFactorPage.tsx'),
);
