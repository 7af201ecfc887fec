import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { listAudit } from '../../features/admin/audit.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { auditQuery } from '../../features/admin/schema.ts';
import type { AppEnv } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { deskPaths } from '../../lib/page-paths.ts';
import { type Answer, membersAt } from '../member/member.tsx';
import { parseInput } from '../shared/form.ts';
import { type AuditFilterText, AuditView, auditFilters, everything } from './audit.tsx';
import { forAdministrators, renderDesk, whileFresh } from './shell.tsx';

/** The admin desk's audit log. */
export function auditPages(deps: Deps): Hono<AppEnv> {
  const members = membersAt(deps, deskPaths.audit);
  const pages = new Routes();
  pages.get(deskPaths.audit, members(adminEndpoints.listAudit, forAdministrators(showAudit)));
  return pages;
}

/** The filtered audit log. */
const showAudit: Answer = async (member) => {
  const { c, deps, actor } = member;
  const filter: AuditFilterText = Object.fromEntries(
    auditFilters.flatMap((name) => (c.req.query(name) ? [[name, c.req.query(name)]] : [])),
  );
  const cursor = c.req.query('cursor');
  const query = parseInput(auditQuery, {
    ...filter,
    action: filter.action === everything ? undefined : filter.action,
    ...(cursor === undefined ? {} : { cursor }),
    limit: '50',
  });
  const here = deskPaths.audit;
  return whileFresh(member, here, async () => {
    const page = await listAudit(deps, actor, { ...query, hidesSearches: filter.action === undefined });
    const shown = <AuditView {...{ page, filter, isFirst: cursor === undefined }} />;
    return renderDesk(member, { tab: 'audit', here, children: shown });
  });
};
