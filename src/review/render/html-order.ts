/** The order of evaluation on the review page: the ACLs before and after in two columns, joined by lines. */
import { effectOf } from "../../access/access";
import { hidden } from "../../impact/hidden";
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { titleOf } from "../../impact/network-acl/words";
import { folded } from "./html-list";
import { markup, type Markup } from "./html-markup";
import type { Review } from "../review";
import { orderTitle } from "../sections";

/** The height of one ACL in pixels. The lines between the two columns end in the middle of an ACL. */
const step = 88;

/** undefined: the order does not change. */
export function orderOf({ acls: { before, after, secrets }, versions }: Review): Markup | undefined {
  if (before.length === after.length && before.every(({ key }, index) => after[index]!.key === key)) return undefined;
  const height = Math.max(before.length, after.length) * step;
  const lines = before.flatMap((acl, from) => {
    const to = after.findIndex(({ key }) => key === acl.key);
    if (to < 0) return [];
    const [top, bottom] = [from, to].map((at) => at * step + step / 2) as [number, number];
    return markup`<path class="${from === to ? "same" : "moved"}" d="M0 ${top} C50 ${top} 50 ${bottom} 100 ${bottom}"/>`;
  });
  const column = (title: string, acls: readonly PlannedAcl[], noteOf: (acl: PlannedAcl) => string) =>
    markup`<div><h3>${title}</h3>${columnOf(acls, secrets, noteOf)}</div>`;
  const isIn = (acls: readonly PlannedAcl[], { key }: PlannedAcl) => acls.some((other) => other.key === key);
  const noteBefore = (acl: PlannedAcl) =>
    isIn(after, acl) ? "" : isIn(versions.after, acl) ? "switched off" : "removed";
  const noteAfter = (acl: PlannedAcl) => {
    if (!isIn(before, acl)) return isIn(versions.before, acl) ? "switched on" : "added";
    const was = before.find(({ key }) => key === acl.key)!;
    return was.priority === acl.priority || Number.isNaN(was.priority) ? "" : `was ${placeOf(was)}`;
  };
  return folded(
    orderTitle,
    markup`<div class="columns">
${column("before", before, noteBefore)}
<svg viewBox="0 0 100 ${height}" preserveAspectRatio="none" style="height:${height}px" aria-hidden="true">${lines}</svg>
${column("after", after, noteAfter)}
</div>`,
  );
}

/** `noteOf`: what changes about the ACL, or nothing. */
export const columnOf = (
  acls: readonly PlannedAcl[],
  secrets: ReadonlySet<string>,
  noteOf: (acl: PlannedAcl) => string = () => "",
) => markup`<ol class="column">${acls.map((acl) => item(acl, noteOf(acl), secrets))}</ol>`;

const placeOf = ({ secret, priority }: PlannedAcl) =>
  secret.has("priority") ? hidden : Number.isNaN(priority) ? "?" : String(priority);

const signs = {
  allowed: "✓ allow",
  blocked: "✕ block",
  redirected: "→ redirect",
  logged: "● log",
  open: "? not known yet",
};

function item(acl: PlannedAcl, note: string, secrets: ReadonlySet<string>): Markup {
  const effect = effectOf(acl.rule.action);
  const kind = effect === undefined ? "open" : effect === "logged" ? "logged" : effect.outcome;
  const target = typeof effect === "object" && !secrets.has("redirect_uri") ? effect.redirect_uri : undefined;
  const uri = target ? ` ${target}` : "";
  const called = acl.description || acl.address || acl.id || "an ACL";
  const shownNote = note === "" ? undefined : markup` <em>${note}</em>`;
  return markup`<li class="${kind}" title="${titleOf(acl) + uri}"><b>${placeOf(acl)} ${signs[kind]}</b>${shownNote}<span><bdi>${called}</bdi>${uri}</span></li>`;
}
