/** What a change of a network ACL does next, without a clock and without writes. */
import { createKnown } from "../../../src/tenant/gate/progress";
import type { AclAtPriority, Change, Changes } from "../../../src/tenant/gate/changes";
import { freePriority, nextStep } from "../../../src/tenant/gate/priority-step";

const acl = (id: string, priority: number, action?: "allow" | "block" | "log"): AclAtPriority => ({
  id,
  priority,
  description: id,
  ...(action && { active: true, rule: { action: { [action]: true }, match_all: true, scope: "tenant" } }),
});
const move = (id: string, priority: number, more: Partial<Change> = {}): Change => ({
  id,
  wanted: acl(id, priority) as never,
  write: () => Promise.reject(new Error("a decision writes nothing")),
  call: {},
  ...more,
});
const create = (priority: number, more: Partial<Change> = {}): Change => ({
  ...move("", priority, more),
  id: undefined,
});
const remove = (id: string, more: Partial<Change> = {}): Change => ({ id, call: {}, remove: async () => {}, ...more });

const two = [acl("a", 1), acl("b", 2)];

interface Situation {
  /** Default: `a` at 1 and `b` at 2. */
  readonly acls?: readonly AclAtPriority[];
  readonly others?: readonly Change[];
  readonly quietMs?: number;
  readonly more?: Partial<Changes>;
}

const reports = { early() {}, unfinished() {} };

async function changesWith(change: Change, { acls = two, others = [], more }: Situation): Promise<Changes> {
  const known = createKnown<AclAtPriority>(async () => acls);
  await known.load();
  return {
    known,
    progress: undefined as never,
    log: () => {},
    timeouts: { stepAside: 1_000, slot: 2_000, giveUp: 10_000 },
    all: new Set([change, ...others]),
    finished: new Set(),
    unplaced: new Map(),
    usedPriorities: new Set(),
    refusedPriorities: new Set(),
    ...more,
  };
}

const hundred = Array.from({ length: 100 }, (_, index) => acl(`a ${index}`, index + 1));
const ninetyNine = hundred.slice(0, 99);
const refusing = { guard: { refusal: () => new Error("locks out") } };
const held = remove("a", { call: refusing });
const sending = create(3, { sending: { priority: 3, after: undefined } });
const early = { call: { reports }, isListFresh: true };

const wait = (ms: number) => ({ kind: "wait", ms });
const aside = (priority: number) => ({ kind: "move aside", priority });
const [, holder] = two;
const failing = { kind: "fail", holder };
const full = { acls: hundred, others: [move("a 1", 1)] };
const slot = { quietMs: 2_000, more: { seesState: true } };
const ended = { more: { unplaced: new Map([["b", move("b", 1) as never]]) } };
const unread = { more: { known: createKnown<AclAtPriority>(async () => []) } };
const between = { own: acl("a", 5, "block"), acls: [acl("b", 6, "allow"), acl("c", 4, "log")] };
const fresh = { isListFresh: true };

test.each<[string, Change, Situation, object]>([
  ["sends a move to a free priority", move("a", 3), {}, { kind: "send" }],
  ["sends a change that keeps its priority", move("a", 1), {}, { kind: "send" }],
  ["sends a deletion", remove("a"), {}, { kind: "send" }],
  ["waits for a write to its priority", move("a", 3), { others: [sending] }, wait(10_000)],
  ["waits for the change of the holder", move("a", 2), { others: [move("b", 3)] }, wait(10_000)],
  ["steps aside in a cycle", move("a", 2), { others: [move("b", 1)] }, aside(3)],
  ["waits for a holder that may come", move("a", 2), { quietMs: 4_000, more: { seesState: true } }, wait(6_000)],
  ["waits shorter if another change needs its own priority", move("a", 2), { others: [create(1)] }, wait(1_000)],
  ["then steps aside for the other change", move("a", 2), { others: [create(1)], quietMs: 1_000 }, aside(3)],
  ["reads the list before it fails", move("a", 2), { quietMs: 10_000 }, { kind: "read list", holder }],
  ["fails after that", move("a", 2, fresh), { quietMs: 10_000 }, failing],
  ["fails at once if the holder's call ended", move("a", 2, fresh), { more: { finished: new Set(["b"]) } }, failing],
  ["fails at once behind a duplicate", create(2, { isListFresh: true, isDuplicate: () => true }), {}, failing],
  ["fails in a cycle if all priorities are taken", move("a 0", 2), full, { kind: "fail" }],
  [
    "ends early when Terraform may need its slot",
    move("a", 2, early),
    slot,
    { kind: "end early", priority: 3, holder },
  ],
  ["waits shorter for a new ACL if no call showed a state", create(2, early), { quietMs: 1_500 }, wait(500)],
  ["then fails", create(2, { ...early, isListFresh: true }), { quietMs: 2_000 }, failing],
  ["moves an ACL of an ended call out of the way", move("a", 2), ended, { kind: "move holder", priority: 3 }],
  ["holds a write that would be refused", held, {}, wait(1_000)],
  ["refuses the write if no other change came", held, { quietMs: 10_000 }, { kind: "refuse" }],
  [
    "waits while another is about to fail",
    held,
    { quietMs: 10_000, more: { refusing: remove("b") } },
    { kind: "wait" },
  ],
  ["reads the ACLs before a guarded write", held, unread, { kind: "read" }],
])("%s", async (_what, change, situation, step) => {
  const changes = await changesWith(change, situation);
  expect(nextStep(changes, change, situation.quietMs ?? 0)).toMatchObject(step);
});

test.each<[string, Situation & { own?: AclAtPriority }, number | undefined]>([
  ["the nearest free priority, the later one of two", { acls: [acl("b", 4), acl("a", 5)] }, 6],
  ["none that another change needs", { acls: [acl("a", 5)], others: [create(6)] }, 4],
  ["none that another process took", { acls: [acl("a", 5)], more: { refusedPriorities: new Set([6]) } }, 4],
  ["the last one that is left", { acls: ninetyNine }, 100],
  ["none of a hundred taken ones", { acls: hundred }, undefined],
  ["rather one that no ACL had", { acls: [acl("a", 5)], more: { usedPriorities: new Set([5, 6]) } }, 4],
  ["one that an ACL had, if no other is left", { acls: ninetyNine, more: { usedPriorities: new Set([100]) } }, 100],
  ["one on the same side of an ACL with another outcome", between, 3],
])("an ACL at 5 steps aside to %s", async (_what, { own = acl("a", 5), ...situation }, priority) => {
  const change = move("a", 5, { wanted: own as never });
  expect(freePriority(await changesWith(change, situation), change)).toBe(priority);
});
