/** What the other objects of the plans have to do with the effect of an object. */
import { type Effect, worstFirst } from "../effect";
import { bare, grouped, type PlannedObject } from "../model";
import { idIn, lastName, listOf, valuesAt } from "./changes";
import { type Found, saidOf } from "./effects";
import { type Known, references } from "./names";
import { rank } from "./proposed";

/**
 * The objects that use an object when Terraform deletes it, so that Auth0 refuses. Terraform deletes before it changes what refers to the
 * object, but after it deletes what refers to it. A new object that Terraform creates before takes the place of the old one in time.
 */
export function usersOf(
  { actions, before, plan }: PlannedObject,
  usedBy: string | undefined,
  byType: ReadonlyMap<string, readonly PlannedObject[]>,
): PlannedObject[] {
  const id = before?.["id"];
  if (usedBy === undefined || typeof id !== "string" || !actions.includes("delete")) return [];
  return usedBy.split("|").flatMap((one) => {
    const [type = "", ...path] = one.split(".");
    const refers = (user: PlannedObject) => {
      const goesBefore = user.actions.includes("delete") && user.plan === plan;
      return !goesBefore && valuesAt(actions[0] === "create" ? user.after : user.before, path).includes(id);
    };
    return (byType.get(type) ?? []).filter(refers);
  });
}

/** A later version of the provider has the applications of a connection in a resource of their own. */
export function isMovedLink({ object, changes }: Found, objects: readonly PlannedObject[]): boolean {
  if (object.type !== "auth0_connection" || !changes.some(({ path }) => path === "enabled_clients")) return false;
  const links = objects.filter(
    ({ type, after, deferred }) =>
      type === "auth0_connection_clients" &&
      deferred === undefined &&
      after?.["connection_id"] === object.before?.["id"],
  );
  const kept = new Set(links.flatMap(({ after }) => listOf(after?.["enabled_clients"])));
  return changes.every(({ kind, was }) => kind === "removed" && kept.has(was));
}

/** Names in the effect of a destroyed or replaced object what goes with it, instead of telling it by itself. */
export function leading(all: readonly Found[]): Found[] {
  const gone = new Map<string, Found>();
  for (const one of all) {
    const { object, change } = one;
    if (change !== "destroy" && change !== "replace") continue;
    for (const by of ["id", "identifier"]) {
      const id = object.before?.[by];
      if (typeof id === "string") gone.set(`${object.plan} ${object.type} ${by} ${id}`, one);
    }
  }
  if (gone.size === 0) return [...all];
  return all.flatMap((one) => {
    const lead = firstLead(one, gone);
    // The list has the new object, and Auth0 changes it before Terraform deletes the old one.
    if (!lead) return one.changes.some(({ isRenewed }) => isRenewed) ? [] : one;
    if (lead.along.at(-1) !== one.object) lead.along.push(one.object);
    return [];
  });
}

/** A lead may go with another one. Two that name each other stay. */
function firstLead(one: Found, gone: ReadonlyMap<string, Found>): Found | undefined {
  const seen = new Set([one]);
  let lead: Found | undefined;
  for (let next = leadOf(one, gone); next; next = leadOf(next, gone)) {
    if (seen.has(next)) return undefined;
    seen.add(next);
    lead = next;
  }
  return lead;
}

function leadOf(one: Found, gone: ReadonlyMap<string, Found>): Found | undefined {
  const { object, changes, change, because } = one;
  const isRenewed = changes.some((each) => each.isRenewed);
  const leadAt = (attribute: string, id: unknown) => {
    const [type, by] = references.get(attribute) ?? [];
    const lead = typeof id === "string" ? gone.get(`${object.plan} ${type} ${by} ${id}`) : undefined;
    return lead &&
      lead.object !== object &&
      lead.object.deferred === object.deferred &&
      !one.isLockout &&
      // If Auth0 refuses to delete the object, its users have effects of their own, unless the object is only replaced.
      (isRenewed ||
        ((lead.users.length === 0 || (lead.change === "replace" && because === "unknown")) &&
          rank(lead.level) >= rank(one.level)))
      ? lead
      : undefined;
  };
  const ofElements = changes.map(({ path, kind, was }) => {
    const name = lastName(path);
    const lost = kind === "removed" || because === "unknown" ? listOf(was).map((id) => leadAt(name, idIn(id))) : [];
    return lost.every((lead) => lead) ? lost[0] : undefined;
  });
  if (ofElements.length > 0) return ofElements.every((lead) => lead) ? ofElements[0] : undefined;
  if (change === "create") return undefined;
  return [...references.keys()].map((name) => leadAt(name, object.before?.[name])).find((lead) => lead);
}

/** What several plans destroy is one effect, and what a plan does alike to many instances of one resource. */
export function together(all: readonly Found[], known: Known): Found[] {
  const single = [...grouped(all, (one) => keyOfDestroyed(one) ?? one).values()].map(([first, ...rest]): Found =>
    rest.length === 0 ? first! : { ...first!, also: rest.map(({ object }) => object), isShared: true },
  );
  return [...grouped(single, instanceKey).values()].flatMap((group) =>
    group.length <= mostAlike ? group : alike(group, known),
  );
}

/** The placeholders for whom an effect is about. Instances that differ in another one, such as a permission, differ in what they do. */
const ofWhom: ReadonlySet<string> = new Set([
  "name",
  "user",
  "client",
  "organization",
  "connection",
  "domain",
  "screen",
  "template",
]);

/** Instances may differ in one name, such as that of the role that gets a permission: in the one of which they have the most. */
function alike(group: readonly Found[], known: Known): Found[] {
  const said = new Map(group.map((one) => [one, saidOf(one, known)]));
  const all = [...said.get(group[0]!)!.keys()];
  // A user gets a role, and a role a permission.
  const names = all.filter((name) => ofWhom.has(name) || (name === "role" && !all.includes("user")));
  const variety = (name: string) => new Set([...said.values()].map((words) => words.get(name))).size;
  const [own] = names.toSorted((a, b) => variety(b) - variety(a));
  const rest = (one: Found) => JSON.stringify([...said.get(one)!].filter(([name]) => name !== own));
  return [...grouped(group, rest).values()].flatMap((same) => {
    const [first, ...others] = same;
    return same.length <= mostAlike ? same : { ...first!, also: others.map(({ object }) => object) };
  });
}

/** As many instances have an effect each. */
const mostAlike = 5;

function keyOfDestroyed({ object, change, row }: Found): string | undefined {
  const id = object.before?.["id"];
  return change === "destroy" && typeof id === "string" && object.plan !== undefined
    ? JSON.stringify([object.type, id, row.code])
    : undefined;
}

function instanceKey(one: Found): unknown {
  const { object, row, level, change, changes, because, open, not, sets, along, again, isShared, isLockout } = one;
  const isAlone =
    isShared || isLockout || sets !== undefined || along.length > 0 || bare(object.address) === object.address;
  const labels = changes.map(({ label, kind }) => [label, kind]);
  return isAlone
    ? one
    : JSON.stringify([bare(object.address), object.plan, row, level, change, because, open, not, !again, labels]);
}

/** Members lose access by the end of their organization, so it is as bad as their loss, and comes first. */
export function beforeMembers(
  ends: readonly Effect[],
  losses: readonly Effect[],
  objects: readonly PlannedObject[],
): Effect[] {
  return ends.map((end) => {
    if (end.code !== "TNF-ORGANIZATION-DELETED") return end;
    const { address, plan } = end.subject;
    const id = objects.find((one) => one.address === address && one.plan === plan)?.before?.["id"];
    const [worst] = losses
      .filter(({ facts }) => facts.kind === "members" && facts.loses && facts.organization.id === id)
      .toSorted(worstFirst);
    return worst && worstFirst(end, worst) > 0 ? { ...end, level: worst.level, share: worst.share } : end;
  });
}

/** Whether Terraform's own application goes, or what it needs for a token of the Management API. */
export function locksOut({ object, changes, change, row, because, mayStay }: Found, { ownClients }: Known): boolean {
  const { type, before, after } = object;
  const ids = [before?.["client_id"], after?.["client_id"], ...(type === "auth0_client" ? [before?.["id"]] : [])];
  if (because !== undefined || mayStay || !ids.some((id) => typeof id === "string" && ownClients.has(id))) return false;
  const goes = change === "destroy" || change === "replace";
  const loses = (element: string, path: string) =>
    changes.some((one) => one.path === path && one.kind === "removed" && (one.was === element || one.left === 0));
  if (type === "auth0_client") return goes || loses("client_credentials", "grant_types");
  if (type === "auth0_client_grant")
    return (
      String(before?.["audience"]).endsWith("/api/v2/") &&
      before?.["subject_type"] !== "user" &&
      (goes || loses("", "scopes"))
    );
  return type === "auth0_client_credentials" && row.code === "TNF-CREDENTIAL-CHANGED" && row.level === "high";
}
