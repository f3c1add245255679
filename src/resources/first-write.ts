/** Refuses an apply before its first write if one of its new network ACLs needs a priority that is taken. */
import { createHash } from "node:crypto";
import { attributePath } from "../cty/path";
import { isWhollyKnown, type Value } from "../cty/value";
import type { Definition, Known } from "../sdk/definition";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Resource } from "../sdk/resource";
import { notDone } from "../sdk/session";
import type { NetworkAcl } from "../tenant/network-acl";
import type { Tenant } from "../tenant/tenant";
import { conflictWords, type Holder, type Place } from "./conflicts";
import type { Engine } from "./engine";
import { ifReadable } from "./lookup";

/*
 * Without a saved plan, Terraform plans in one process and applies in another one. A plan that only creates objects reads nothing. Its
 * process leaves a note of the planned ACLs for the other one. That process compares all of them with the list of ACLs, which it
 * reads anyway, before it writes anything.
 *
 * A plan that changes or deletes an object leaves no note, because that change may free a priority.
 */

type Services = Pick<Engine, "importCommand"> & { readonly tenant: Pick<Tenant, "networkAcls"> };

/** A note for the next process of the same apply. */
export interface Handover {
  leave(note: string): void;
  take(): string | undefined;
}

/** An ACL of which others learn only the priority. */
interface PlannedAcl {
  readonly priority: number;
  /** Hash of its content: an ACL that equals an existing one adopts it. */
  readonly content: string;
}

export interface FirstWrite {
  /** Notes a planned change; `acl`: only of a new ACL. */
  plans(isCreate: boolean, acl?: Known): void;
  /** Leaves the note, if the plan only creates objects. Not alone: another configuration of the tenant may free a priority. */
  leave(isAlone: boolean): void;
  /** Throws if a priority that this apply needs is taken. `acl`: the one that is about to be created. */
  demandFree(client: Services, acl?: Known): Promise<void>;
}

/** `handover`: left out if this process cannot leave notes. */
export function createFirstWrite(handover?: Handover): FirstWrite {
  const planned = new Map<string, PlannedAcl>();
  let onlyCreates = true;
  let conflicts: Promise<Conflicts> | undefined;
  let isReported = false;

  return {
    plans(isCreate, acl) {
      onlyCreates &&= isCreate;
      const noted = acl && notedOf(acl);
      if (noted) planned.set(noted.content, noted);
    },
    leave(isAlone) {
      if (!isAlone) handover?.take();
      else if (onlyCreates && planned.size > 0 && !conflicts) handover?.leave(JSON.stringify([...planned.values()]));
    },
    async demandFree(client, acl) {
      if (!handover) return;
      conflicts ??= conflictsOf(handover.take(), client);
      const { noted, taken } = await conflicts;
      const own = acl && notedOf(acl);
      const isNoted = !acl || noted.some(({ content }) => content === own?.content);
      if (taken.length === 0 || !isNoted) return;
      const holder = taken.find(({ priority }) => priority === own?.priority);
      if (holder) throw refusalOf(acl!, holder, client);
      if (isReported) throw new DiagnosticError(notDone.summary, notDone.detail);
      isReported = true;
      throw refusalForOthers(taken, client);
    },
  };
}

/** Makes a resource note what it plans, and check before it creates. */
export function checkedBeforeWrites<
  Client extends Services & { readonly firstWrite: FirstWrite },
  T extends Definition,
>(resource: Resource<Client, T>): Resource<Client, T> {
  const aclOf = (known: object | undefined) =>
    resource.definition.name === "network_acl" ? (known as Known) : undefined;
  return {
    ...resource,
    async create(planned, context) {
      await context.client.firstWrite.demandFree(context.client, aclOf(planned));
      return resource.create(planned, context);
    },
    async review(change, context) {
      const isCreate = change.action === "create" && !change.replaced && context.plan.phase === undefined;
      context.client?.firstWrite.plans(isCreate, isCreate ? aclOf(change.planned) : undefined);
      await resource.review?.(change, context);
    },
  };
}

interface Conflicts {
  readonly noted: readonly PlannedAcl[];
  /** The ACLs of the tenant that have a planned priority. */
  readonly taken: readonly NetworkAcl[];
}

/** Without a note or a list, each write finds its own conflict. */
async function conflictsOf(note: string | undefined, { tenant }: Pick<Services, "tenant">): Promise<Conflicts> {
  const noted = note === undefined ? [] : plannedIn(note);
  const acls = noted.length > 0 ? await ifReadable(() => tenant.networkAcls.list()).catch(() => undefined) : [];
  const isTaken = (acl: NetworkAcl) =>
    noted.some(({ priority, content }) => priority === acl.priority && content !== notedOf({ ...acl })?.content);
  return { noted, taken: (acls ?? []).filter(isTaken) };
}

function plannedIn(note: string): readonly PlannedAcl[] {
  try {
    const noted: unknown = JSON.parse(note);
    return Array.isArray(noted) ? noted.filter(isPlannedAcl) : [];
  } catch {
    return [];
  }
}

function isPlannedAcl(noted: Partial<PlannedAcl> | null): noted is PlannedAcl {
  return typeof noted?.priority === "number" && typeof noted.content === "string";
}

/** Undefined if part of the ACL is known only after apply. */
function notedOf({ description, active, priority, rule }: Known): PlannedAcl | undefined {
  const content = { description, active, priority, rule };
  if (typeof priority !== "number" || !isWhollyKnown(content as Value)) return undefined;
  return {
    priority,
    content: createHash("sha256")
      .update(JSON.stringify(sorted(content)))
      .digest("base64"),
  };
}

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, sorted(each)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const placeOf = (priority: number): Place => ({
  kind: "network ACL",
  key: "priority",
  value: priority,
  code: "TF-ACL-SAME-PRIORITY",
});

function holderOf(
  { id, description }: NetworkAcl,
  { importCommand }: Pick<Services, "importCommand">,
): Omit<Holder, "same"> {
  return { id, called: JSON.stringify(description), importCommand: importCommand("tenant_network_acl", id) };
}

function refusalOf(
  { description }: Known,
  holder: NetworkAcl,
  client: Pick<Services, "importCommand">,
): DiagnosticError {
  const title = `a new ACL (${JSON.stringify(description)})`;
  const words = conflictWords(placeOf(holder.priority), { title }, holderOf(holder, client));
  return new DiagnosticError(
    "The priority is taken",
    `${words}\n\nNo other change of this apply frees the priority. Import the existing object, or give one of the two another ` +
      "priority. Nothing was changed.",
    attributePath("priority"),
  );
}

/** For an object that is free to be created, but not without the others. */
function refusalForOthers(taken: readonly NetworkAcl[], client: Pick<Services, "importCommand">): DiagnosticError {
  const lines = taken.map((holder) =>
    conflictWords(placeOf(holder.priority), { title: "another new ACL" }, holderOf(holder, client)),
  );
  return new DiagnosticError(
    "Not created, because the apply cannot be completed",
    `${lines.map((line) => `- ${line}`).join("\n")}\n\nNo other change of this apply frees ${taken.length === 1 ? "this priority" : "these priorities"}. ` +
      "Import the existing ACL, or give one of the two another priority. Nothing was changed.",
  );
}
