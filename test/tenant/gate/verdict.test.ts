/** A write is judged by each state that the writes in flight may leave. */
import fc from "../../support/random";
import { mustWait, refusalOf, type Guard, type InFlight, type Situation } from "../../../src/tenant/gate/verdict";

/** Each ACL matches every request, so the lowest priority decides. */
interface Acl {
  readonly action: "allow" | "block" | "log";
  readonly priority: number;
}

const isLocked = (acls: readonly Acl[]) =>
  acls.filter(({ action }) => action !== "log").toSorted((one, other) => one.priority - other.priority)[0]?.action ===
  "block";
const opens = ({ action }: Partial<Acl> = {}) => action === "allow";
const blocks = ({ action }: Partial<Acl> = {}) => action === "block";

const guard: Guard<Acl> = {
  mayRefuse: ({ before, after }) => opens(before) || blocks(after),
  refusal: (before, after) => (!isLocked(before) && isLocked(after) ? new Error("locks out") : undefined),
};

const allow = (priority: number, id = "allow") => ({ action: "allow" as const, priority, id });
const block = (priority: number, id = "block") => ({ action: "block" as const, priority, id });
const log = (priority: number, id = "log") => ({ action: "log" as const, priority, id });
const deleting = (id: string): InFlight<Acl> => ({ id, after: undefined });
const creating = ({ action, priority }: Acl): InFlight<Acl> => ({ after: { action, priority } });

type Known = readonly (Acl & { id: string })[];

/** `write`: an ACL with the id of a known one changes it. `gone` is the id of a deleted one. */
interface Writes {
  readonly inFlight?: readonly InFlight<Acl>[];
  readonly write?: Acl & { id?: string };
  readonly gone?: string;
  readonly first?: Acl & { id?: string };
}

const both = [allow(10), block(90)];
const logs = ["a", "b", "c", "d"].map((id, index) => log(20 + index, id));
const opening = logs.map(({ id, priority }): InFlight<Acl> => ({ id, after: allow(priority, id) }));
const open = [allow(1), ...logs];

const spare = [...both, allow(11, "spare")];
const harmful = [20, 21, 22, 23].map((priority) => creating(block(priority)));
const moving: InFlight<Acl> = { id: "allow", after: allow(20) };

test.each<[verdict: "sent" | "refused" | "waits", what: string, known: Known, writes: Writes]>([
  ["sent", "only opens", both, { gone: "block" }],
  ["refused", "locks out", both, { gone: "allow" }],
  ["sent", "leaves another allow", spare, { gone: "allow" }],
  ["refused", "needs an allow whose deletion is in flight", spare, { inFlight: [deleting("spare")], gone: "allow" }],
  ["refused", "needs the deletion of a block in flight", both, { inFlight: [deleting("block")], gone: "allow" }],
  ["refused", "needs a create in flight", both, { inFlight: [creating(allow(11))], gone: "allow" }],
  ["sent", "needs nothing in flight", both, { inFlight: [creating(log(1))], gone: "block" }],
  ["refused", "blocks before an allow that moves, and always allows", both, { inFlight: [moving], write: block(5) }],
  ["sent", "blocks what is blocked already", [block(1)], { inFlight: [creating(log(2))], write: block(5, "new") }],
  ["refused", "comes after another write that opens the way", both, { gone: "allow", first: allow(50) }],
  ["sent", "comes after a successor", both, { gone: "allow", first: allow(50, "next") }],
  ["sent", "may be refused beside 3 open writes", open, { inFlight: opening.slice(1), write: block(99) }],
  ["waits", "may be refused beside 4 open writes", open, { inFlight: opening, write: block(99) }],
  ["sent", "may not be refused beside 4 open writes", open, { inFlight: opening, write: allow(99, "new") }],
  ["sent", "may be refused beside 4 writes that can only harm", [allow(1)], { inFlight: harmful, write: block(99) }],
])("%s: a write that %s", (verdict, _what, known, { inFlight = [], write, gone, first }) => {
  const id = gone ?? known.find((one) => one.id === write?.id)?.id;
  const question = { id, before: known.find((one) => one.id === id), after: write, isFinal: true };
  const situation: Situation<Acl> = { known, inFlight };
  const found = mustWait(guard, question, situation)
    ? "waits"
    : refusalOf(guard, question, situation, first)
      ? "refused"
      : "sent";
  expect(found).toBe(verdict);
});

test("says whether the object is then as its change wants it, and judges nothing without a guard", () => {
  const seen: unknown[] = [];
  const spy: Guard<Acl> = {
    refusal: (before, after, write, isFinal) => void seen.push([before, after, write, isFinal]),
  };
  const question = { before: undefined, after: allow(1), isFinal: false };
  refusalOf(spy, question, { known: [], inFlight: [] });
  expect(seen).toEqual([[[], [{ ...allow(1), id: undefined }], { before: undefined, after: allow(1) }, false]]);
  expect(refusalOf(undefined, question, { known: [], inFlight: [] })).toBeUndefined();
});

/** An oracle: what the tenant really has, while writes begin, take effect and end at any time, and some have no effect. */
const acls = fc.record({ action: fc.constantFrom("allow", "block", "log"), priority: fc.integer({ min: 1, max: 9 }) });
const events = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e"),
    after: fc.option(acls, { nil: undefined }),
    steps: fc.array(fc.nat(), { maxLength: 4 }),
    works: fc.boolean(),
  }),
  { maxLength: 25 },
);

test("no order in which writes take effect locks out, if each is sent when the verdict allows it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "c", "d"), acls), events, (start, all) => {
      const known = new Map<string, Acl & { id: string }>();
      for (const [id, acl] of Object.entries(start)) known.set(id, { ...(acl as Acl), id });
      const tenant = new Map(known);
      const inFlight: { id: string; after: Acl | undefined; works: boolean; isDone: boolean }[] = [];
      const put = (map: Map<string, Acl & { id: string }>, id: string, acl: Acl | undefined) =>
        acl ? map.set(id, { ...acl, id }) : map.delete(id);
      const isLockedNow = () => isLocked([...tenant.values()]);
      const wasOpen = !isLockedNow();
      const takeEffect = (nth: number) => {
        const write = inFlight[nth];
        if (!write) return;
        if (!write.isDone) {
          write.isDone = true;
          if (write.works) put(tenant, write.id, write.after);
          expect(wasOpen && isLockedNow()).toBe(false);
        } else {
          inFlight.splice(nth, 1);
          if (write.works) put(known, write.id, write.after);
        }
      };
      for (const { id, after, steps, works } of all) {
        for (const step of steps) if (inFlight.length > 0) takeEffect(step % inFlight.length);
        // A tenant has one ACL for each priority, and the provider sends one write of an ACL at a time.
        const isTaken = [
          ...known.values(),
          ...tenant.values(),
          ...inFlight.map((one) => ({ ...one, ...one.after })),
        ].some((one) => one.id !== id && one.priority === after?.priority);
        if (isTaken || inFlight.some((write) => write.id === id)) continue;
        const question = { id, before: known.get(id), after, isFinal: true };
        const situation = { known: [...known.values()], inFlight };
        if (mustWait(guard, question, situation) || refusalOf(guard, question, situation)) continue;
        inFlight.push({ id, after, works, isDone: false });
      }
    }),
    { numRuns: 2_000 },
  );
});
