/** Refuses an apply before its first write if it cannot be completed. */
import type { Change, Definition, Known } from "../sdk/definition";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Resource } from "../sdk/resource";
import { notDone } from "../sdk/session";
import type { Tenant } from "../tenant/tenant";
import { conflictWords, takenReport } from "./conflicts";
import type { Engine } from "./engine";
import {
  has,
  isManaged,
  isSame,
  keyOf,
  managedOf,
  noteIn,
  textOf,
  uniqueKeys,
  wantedOf,
  type Note,
  type Refusal,
  type Wanted,
} from "./first-write-note";
import { contentHash, holderOf, placeOf, type Existing, type UniqueKey } from "./unique-key";

/*
 * Without a saved plan, Terraform plans in one process and applies in another one. A plan compares a new object with the tenant only if
 * an object was read before: a plan that only creates objects reads nothing. With few parallel calls, the plan cannot wait for a change
 * that may free the key, so it only warns. In both cases the planning process leaves a note of its new objects, and of the objects that
 * it has read. The applying process compares the new objects with the tenant before it writes anything. It asks for the objects of the
 * tenant when Terraform plans the first object again, so that it waits less at the first write.
 *
 * An object that the plan has read may free its key during the apply, so it is no conflict here.
 *
 * The same note has the lock-outs and broken expectations of which the plan could only warn, because a later change might have prevented
 * them. When the planning process ends, it knows all changes.
 */

type Services = Engine & { readonly tenant: Tenant };

/** A note for the next process of the same apply. */
export interface Handover {
  leave(note: string): void;
  take(): string | undefined;
}

export interface FirstWrite {
  /** Notes that the plan has read an object. */
  reads(definition: Definition, state: Known): void;
  /** Notes a planned change. `isCompared`: whether the plan compares the object with the tenant. */
  plans(client: Services, definition: Definition, change: Change, isCompared: boolean): Promise<void>;
  /** Notes that the plan could only warn. `find` returns what the whole plan makes certain; left out: a key that may be taken. */
  leavesOpen(find?: () => readonly Refusal[]): void;
  /** Leaves the note. Not alone, it leaves none: another configuration of the tenant may free a key. */
  leave(isAlone: boolean): void;
  /** Throws if a key that this apply needs is taken. */
  demandFree(client: Services, write: Write): Promise<void>;
}

/** A change that is about to be written. */
interface Write {
  readonly definition: Definition;
  /** Left out if the object is new. */
  readonly prior?: Known;
  /** Left out if the object is deleted. */
  readonly planned?: Known;
}

/** `handover`: left out if this process cannot leave notes. */
export function createFirstWrite(handover?: Handover): FirstWrite {
  const wanted = new Map<string, Wanted>();
  const managed = new Set<string>();
  const finds = new Set<() => readonly Refusal[]>();
  let isOpen = false;
  /** Whether Terraform has planned an object, or applies. */
  let isBegun = false;
  let isApply = false;
  let conflicts: Promise<Conflicts> | undefined;
  let isReported = false;

  /** Only an apply finds a note. */
  const begin = (client: Services) => {
    if (isBegun) return;
    isBegun = true;
    const text = handover?.take();
    if (text === undefined) return;
    isApply = true;
    conflicts = conflictsOf(noteIn(text), client);
  };
  const manages = (definition: Definition, state: Known) => {
    const name = managedOf(definition, state);
    if (name !== undefined) managed.add(name);
  };

  return {
    reads: manages,
    async plans(client, definition, { action, prior, planned, replaced }, isCompared) {
      if (!handover) return;
      begin(client);
      if (prior) manages(definition, prior);
      if (action !== "create" && action !== "update") return;
      // The plan refuses a conflict of an object that takes the place of another one.
      const own = replaced ? { kind: definition.name } : await wantedOf(definition, planned as Known, prior);
      if (!own) return;
      if (!isCompared) isOpen = true;
      wanted.set(JSON.stringify(own), own);
    },
    leavesOpen(find) {
      if (find) finds.add(find);
      else isOpen = true;
    },
    leave(isAlone) {
      if (!isAlone) handover?.take();
      if (!handover || !isAlone || isApply) return;
      const refusals = distinct([...finds].flatMap((find) => find()));
      const note = { wanted: [...wanted.values()], managed, refusals };
      if (refusals.length > 0 || (isOpen && note.wanted.some(({ key }) => key))) handover?.leave(textOf(note));
    },
    async demandFree(client, { definition, prior, planned }) {
      begin(client);
      isApply = true;
      if (!conflicts) return;
      const { note, taken } = await conflicts;
      const { refusals } = note;
      if (taken.length === 0 && refusals.length === 0) return;
      const own = planned && (await wantedOf(definition, planned, prior));
      const isNoted = prior ? note.managed.has(managedOf(definition, prior) ?? "") : has(note, own!);
      if (!isNoted) return;
      const holder = own && taken.find((each) => isSame(each.wanted, own));
      if (holder) throw refusalOf(holder, planned, prior, client);
      if (isReported) {
        const [cause] = refusals;
        throw new DiagnosticError(notDone.summary, `${cause ? `The cause: ${cause.summary}. ` : ""}${notDone.detail}`);
      }
      isReported = true;
      throw taken.length > 0 ? refusalForOthers(taken, client) : refusalOfPlan(refusals);
    },
  };
}

/** Makes a resource note what it reads and plans, and check before it writes. */
export function checkedBeforeWrites<
  Client extends Services & { readonly firstWrite: FirstWrite },
  T extends Definition,
>(resource: Resource<Client, T>): Resource<Client, T> {
  const { definition } = resource;
  return {
    ...resource,
    async read(state, context) {
      const found = await resource.read(state, context);
      if (found) context.client.firstWrite.reads(definition, found as Known);
      return found;
    },
    async create(planned, context) {
      const { client } = context;
      await client.firstWrite.demandFree(client, { definition, planned: planned as Known });
      return resource.create(planned, context);
    },
    async update(planned, prior, context) {
      const { client } = context;
      await client.firstWrite.demandFree(client, { definition, prior: prior as Known, planned: planned as Known });
      return resource.update(planned, prior, context);
    },
    async delete(state, context, successor) {
      const { client } = context;
      await client.firstWrite.demandFree(client, { definition, prior: state as Known });
      return resource.delete(state, context, successor);
    },
    async review(change, context) {
      const { client, plan } = context;
      const { phase } = plan;
      if (client && phase !== "apply") {
        await client.firstWrite.plans(client, definition, change as Change, phase === "plan");
      }
      await resource.review?.(change, context);
    },
  };
}

interface Taken<T extends Existing = Existing> {
  readonly wanted: Wanted;
  readonly unique: UniqueKey<T>;
  readonly existing: T;
}

interface Conflicts {
  readonly note: Note;
  readonly taken: readonly Taken[];
}

/** Without a note, or if the objects cannot be read, each write finds its own conflict. */
async function conflictsOf(note: Note, { tenant }: Pick<Services, "tenant">): Promise<Conflicts> {
  const taken = note.wanted.map(async (wanted) => {
    const { kind, key, content } = wanted;
    if (!key) return [];
    const unique = await uniqueKeys[kind]!();
    const existing = await unique.holder(tenant, keyOf(wanted, unique)).catch(() => undefined);
    if (!existing || isManaged(note, kind, existing.id)) return [];
    return contentHash(unique, { ...(existing as object) }) === content ? [] : [{ wanted, unique, existing }];
  });
  return { note, taken: (await Promise.all(taken)).flat() };
}

function wordsOf({ unique, existing, wanted }: Taken, title: string, client: Services): string {
  const planned = keyOf(wanted, unique);
  return conflictWords(placeOf(unique, planned), { title }, holderOf(unique, existing, planned, client));
}

function refusalOf(taken: Taken, planned: Known, prior: Known | undefined, client: Services): DiagnosticError {
  const { unique } = taken;
  const words = wordsOf(taken, unique.titleOf(planned, prior?.["id"]), client);
  const { summary, detail, path } = takenReport(placeOf(unique, planned), [words], {}, true);
  return new DiagnosticError(summary, detail, path);
}

const distinct = (refusals: readonly Refusal[]) => [
  ...new Map(refusals.map((one) => [JSON.stringify(one), one])).values(),
];

/** The plan was complete, so Terraform shows the same error as after a plan that waits for all changes. */
function refusalOfPlan(refusals: readonly Refusal[]): DiagnosticError {
  const [{ summary, detail }] = refusals as [Refusal];
  if (refusals.length === 1) return new DiagnosticError(summary, detail);
  const lines = refusals.map((one) => `- ${one.summary}. ${one.detail}`);
  return new DiagnosticError(
    "Not done, because the apply cannot be completed",
    `${lines.join("\n")}\n\nNothing was changed.`,
  );
}

/** For a change that could be made, but not without the others. */
function refusalForOthers(taken: readonly Taken[], client: Services): DiagnosticError {
  const lines = taken.map((each) => wordsOf(each, `another ${each.unique.kind.noun}`, client));
  const [freed, existing, chosen] =
    taken.length === 1
      ? ["this value", "existing object", "another value"]
      : ["these values", "existing objects", "other values"];
  return new DiagnosticError(
    "Not done, because the apply cannot be completed",
    `${lines.map((line) => `- ${line}`).join("\n")}\n\nNo other change of this plan frees ${freed}. ` +
      `Import the ${existing}, or choose ${chosen}. Nothing was changed.`,
  );
}
