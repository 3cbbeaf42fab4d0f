import { DownOutlined, RightOutlined } from '@ant-design/icons';
import { shownName } from '@kaptain/contract/field-rules';
import type { Kapsule, KapsuleOverview } from '@kaptain/contract/kapsules';
import { mayReplaceStructure } from '@kaptain/contract/permissions';
import type { SessionUser } from '@kaptain/contract/session';
import { Button } from 'antd';
import { Suspense } from 'react';
import { useKapsuleOverview } from '../../../api/kapsule-overview.ts';
import { lazyPart } from '../../../api/load-code.ts';
import { fieldSummary } from '../../../shared/fields/field-summary.ts';
import { mayAdd } from '../../../shared/may-add.ts';
import { NamesPopover } from '../../../shared/NamesPopover.tsx';
import { PageLink } from '../../../shared/PageLink.tsx';
import { useDialog } from '../../../shared/use-dialog.ts';
import { useMediaQuery } from '../../../shared/use-media-query.ts';
import { useRemembered } from '../../../shared/use-remembered.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { LocksSection } from '../locks/LocksSection.tsx';
import { mayEdit } from '../may-change.ts';
import { WritersChoice } from '../WritersChoice.tsx';
import styles from './Hub.module.css';
import { HubFact } from './HubFact.tsx';
import { ReloadFacts } from './ReloadFacts.tsx';

const EditDialog = lazyPart('KapsuleEditDialog', () => import('./KapsuleEditDialog.tsx'));
const CopyDialog = lazyPart('KapsuleCopyDialog', () => import('./KapsuleCopyDialog.tsx'));
const ScheduleDialog = lazyPart('HubScheduleDialog', () => import('./HubScheduleDialog.tsx'));
const ChangeOwner = lazyPart('ChangeOwner', () => import('./ChangeOwner.tsx'));

/** Owner, reloads, groups and fields of a kapsule. Another service has only a part of them. */
export function KapsuleHub({ kapsule, me }: { kapsule: Kapsule; me: SessionUser }) {
  const words = useWords();
  const isWide = useMediaQuery('(min-width: 768px)');
  const [isOpen, setOpen] = useRemembered(`kaptain.hub.${isWide ? 'wide' : 'narrow'}`, isWide);
  const { data: overview, isError } = useKapsuleOverview(kapsule._id);
  const editing = useDialog<Kapsule>();
  const copying = useDialog<Kapsule>();
  const scheduling = useDialog<KapsuleOverview>();
  const giving = useDialog<Kapsule>();
  const isAdmin = me.role === 'ADMIN';
  const mayReplace = !isError && mayReplaceStructure(me.role, kapsule);
  const groups = overview?.groups.map(({ groupname }) => groupname) ?? [];
  const { owner, ownerId, fields } = kapsule;
  const typed = fields.map((field) => fieldSummary(field, words));

  return (
    <section className={styles['hub']} aria-label={`About this ${words.kapsule.one}`}>
      <div className={styles['head']}>
        <Button
          type="text"
          className={styles['toggle'] ?? ''}
          icon={isOpen ? <DownOutlined aria-hidden="true" /> : <RightOutlined aria-hidden="true" />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {`About this ${words.kapsule.one}`}
        </Button>
        <div className={styles['headActions']}>
          {mayAdd(me) && (
            <Button size="small" aria-label={`Copy ${kapsule.name}`} onClick={() => copying.open(kapsule)}>
              Copy
            </Button>
          )}
          {mayReplace && (
            <Button size="small" onClick={() => editing.open(kapsule)}>
              {`Edit ${words.kapsule.one}`}
            </Button>
          )}
        </div>
      </div>
      {isOpen && (
        <dl className={styles['facts']}>
          <HubFact
            label="Owner"
            full={owner}
            action={
              isAdmin && typeof ownerId === 'string'
                ? {
                    text: 'Change',
                    label: `Change the owner of ${kapsule.name}`,
                    onClick: () => giving.open(kapsule),
                  }
                : undefined
            }
          >
            {owner}
          </HubFact>
          {!isError && (
            <ReloadFacts
              kapsule={kapsule}
              overview={overview}
              mayReload={mayEdit(me.role, kapsule)}
              onSchedule={isAdmin && overview ? () => scheduling.open(overview) : undefined}
            />
          )}
          {!isError && (
            <HubFact
              label={isAdmin ? 'Groups' : 'Your groups'}
              before={groups.length > 0 && <NamesPopover names={groups} title="Groups" />}
            >
              {groups.join(', ') || (
                <PageLink to="/system/groups">{overview ? 'No group has it' : '–'}</PageLink>
              )}
            </HubFact>
          )}
          <HubFact label="Fields" before={<NamesPopover names={typed} title="Fields" />}>
            {fields.map(shownName).join(', ')}
          </HubFact>
        </dl>
      )}
      {isOpen && <WritersChoice kapsule={kapsule} me={me} />}
      {isOpen && <LocksSection kapsule={kapsule} me={me} />}
      <Suspense fallback={null}>
        {editing.about && <EditDialog dialog={editing} kapsule={editing.about} />}
        {copying.about && <CopyDialog dialog={copying} kapsule={copying.about} />}
        {scheduling.about && (
          <ScheduleDialog dialog={scheduling} kapsule={kapsule} overview={scheduling.about} />
        )}
        {giving.about && <ChangeOwner dialog={giving} kapsule={giving.about} />}
      </Suspense>
    </section>
  );
}
