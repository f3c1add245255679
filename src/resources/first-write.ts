/** Refuses an apply before its first write if one of its new objects needs a unique key that is taken. */
import type { Definition, Known } from "../sdk/definition";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Lazy } from "../sdk/lazy";
import type { Resource } from "../sdk/resource";
import { notDone } from "../sdk/session";
import type { Tenant } from "../tenant/tenant";
import { conflictWords, takenReport } from "./conflicts";
import type { Engine } from "./engine";
import { contentHash, holderOf, placeOf, type Existing, type UniqueKey } from "./unique-key";

/*
 * Without a saved plan, Terraform plans in one process and applies in another one. A plan that only creates objects reads nothing. Its
 * process leaves a note of the planned objects for the other one. That process compares all of them with the objects of the tenant
 * before it writes anything. It asks for them when Terraform plans the first object again, so that it waits less at the first write.
 *
 * A plan that changes or deletes an object leaves no note, because that change may free a key.
 */

type Services = Engine & { readonly tenant: Tenant };

/** By the name of the resource. */
const uniqueKeys: Lazy<UniqueKey> = {
  network_acl: async () => (await import("./network-acl/unique-priority.js")).uniquePriority,
  network_acl_key: async () => (await import("./network-acl-key/unique-name.js")).uniqueName,
  rate_limit_policy: async () => (await import("./rate-limit-policy/unique-callers.js")).uniqueCallers,
};

/** A note for the next process of the same apply. */
export interface Handover {
  leave(note: string): void;
  take(): string | undefined;
}

/** A new object in the note. If part of its content is known only after apply, only the write compares it. */
interface Noted {
  readonly kind: string;
  /** The values of the unique key, in the order of the kind. */
  readonly key?: readonly (string | number)[];
  /** An object that equals an existing one adopts it. */
  readonly content?: string;
}

export interface FirstWrite {
  /** Notes a planned change; `object`: a new one. */
  plans(client: Services, object?: New): Promise<void>;
  /** Leaves the note, if the plan only creates objects. Not alone: another configuration of the tenant may free a key. */
  leave(isAlone: boolean): void;
  /** Throws if a key that this apply needs is taken. `object`: the one that is about to be created. */
  demandFree(client: Services, object: New): Promise<void>;
}

interface New {
  /** Name of the resource. */
  readonly name: string;
  readonly planned: Known;
}

/** `handover`: left out if this process cannot leave notes. */
export function createFirstWrite(handover?: Handover): FirstWrite {
  const planned = new Map<string, Noted>();
  let onlyCreates = true;
  /** Whether Terraform has planned a new object, or applies. */
  let isBegun = false;
  let isApply = false;
  let conflicts: Promise<Conflicts> | undefined;
  let isReported = false;

  /** Only an apply finds a note. */
  const begin = (client: Services) => {
    if (isBegun) return;
    isBegun = true;
    const note = handover?.take();
    if (note === undefined) return;
    isApply = true;
    conflicts = conflictsOf(note, client);
  };

  return {
    async plans(client, object) {
      onlyCreates &&= object !== undefined;
      if (!object || !handover) return;
      begin(client);
      const noted = notedOf(object, await uniqueKeys[object.name]?.());
      planned.set(JSON.stringify(noted), noted);
    },
    leave(isAlone) {
      const notes = [...planned.values()];
      if (!isAlone) handover?.take();
      else if (onlyCreates && !isApply && notes.some(({ key }) => key)) handover?.leave(JSON.stringify(notes));
    },
    async demandFree(client, object) {
      isApply = true;
      if (!conflicts) return;
      const { noted, taken } = await conflicts;
      if (taken.length === 0) return;
      const own = notedOf(object, await uniqueKeys[object.name]?.());
      if (!noted.some((each) => isSame(each, own))) return;
      const holder = taken.find(({ noted: each }) => isSame(each, own));
      if (holder) throw refusalOf(holder, object.planned, client);
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
  const { name } = resource.definition;
  return {
    ...resource,
    async create(planned, context) {
      const { client } = context;
      await client.firstWrite.demandFree(client, { name, planned: planned as Known });
      return resource.create(planned, context);
    },
    async review(change, context) {
      const isCreate = change.action === "create" && !change.replaced && context.plan.phase === undefined;
      const object = isCreate ? { name, planned: change.planned as Known } : undefined;
      if (context.client) await context.client.firstWrite.plans(context.client, object);
      await resource.review?.(change, context);
    },
  };
}

interface Taken<T extends Existing = Existing> {
  readonly noted: Noted;
  readonly unique: UniqueKey<T>;
  readonly existing: T;
}

interface Conflicts {
  readonly noted: readonly Noted[];
  readonly taken: readonly Taken[];
}

/** Without a note, or if the objects cannot be read, each write finds its own conflict. */
async function conflictsOf(note: string, { tenant }: Pick<Services, "tenant">): Promise<Conflicts> {
  const noted = notedIn(note);
  const taken = noted.map(async (each) => {
    if (!each.key) return [];
    const unique = await uniqueKeys[each.kind]!();
    const existing = await unique.holder(tenant, keyOf(each, unique)).catch(() => undefined);
    if (!existing || contentHash(unique, { ...(existing as object) }) === each.content) return [];
    return [{ noted: each, unique, existing }];
  });
  return { noted, taken: (await Promise.all(taken)).flat() };
}

function notedIn(note: string): readonly Noted[] {
  try {
    const noted: unknown = JSON.parse(note);
    return Array.isArray(noted) ? noted.filter(isNoted) : [];
  } catch {
    return [];
  }
}

function isNoted(noted: Partial<Noted> | null): noted is Noted {
  if (typeof noted?.kind !== "string") return false;
  const { kind, key, content } = noted;
  return key === undefined || (Object.hasOwn(uniqueKeys, kind) && Array.isArray(key) && typeof content === "string");
}

function notedOf({ name, planned }: New, unique: UniqueKey | undefined): Noted {
  const content = unique && contentHash(unique, planned);
  if (content === undefined) return { kind: name };
  return { kind: name, key: unique!.kind.uniqueKey.map((each) => planned[each] as string | number), content };
}

/** Whether the note has the new object, which is known by now. */
function isSame(noted: Noted, own: Noted): boolean {
  return noted.kind === own.kind && (noted.key === undefined || noted.content === own.content);
}

const keyOf = ({ key }: Noted, { kind }: UniqueKey): Known =>
  Object.fromEntries(kind.uniqueKey.map((name, index) => [name, key![index]]));

function wordsOf({ unique, existing, noted }: Taken, title: string, client: Services): string {
  const planned = keyOf(noted, unique);
  return conflictWords(placeOf(unique, planned), { title }, holderOf(unique, existing, planned, client));
}

function refusalOf(taken: Taken, planned: Known, client: Services): DiagnosticError {
  const { unique } = taken;
  const words = wordsOf(taken, unique.titleOf(planned), client);
  const { summary, detail, path } = takenReport(placeOf(unique, planned), [words], {}, true);
  return new DiagnosticError(summary, detail, path);
}

/** For an object that is free to be created, but not without the others. */
function refusalForOthers(taken: readonly Taken[], client: Services): DiagnosticError {
  const lines = taken.map((each) => wordsOf(each, `another new ${each.unique.kind.noun}`, client));
  const [what, which] = taken.length === 1 ? ["this value", "existing object"] : ["these values", "existing objects"];
  return new DiagnosticError(
    "Not created, because the apply cannot be completed",
    `${lines.map((line) => `- ${line}`).join("\n")}\n\nNo other change of this plan frees ${what}. ` +
      `Import the ${which}, or change the new ${taken.length === 1 ? "one" : "ones"}. Nothing was changed.`,
  );
}
