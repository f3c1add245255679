/** A write of a network ACL is judged by every state that the writes under way may leave. */
import { judgedRefusal } from "../../src/tenant/write-judge";
import type { Change, Moves } from "../../src/tenant/priority-change";
import type { NetworkAclBody } from "../../src/tenant/network-acl";
import type { StandingAcl, WriteJudge } from "../../src/tenant/write-guard";

const acl = (priority: number): NetworkAclBody => ({
  description: `acl ${priority}`,
  active: true,
  priority,
  rule: { action: { block: true }, match: { asns: [1] }, scope: "tenant" },
});
const numbers = (acls: readonly StandingAcl[]) => acls.map(({ priority }) => priority).toSorted((a, b) => a - b);

/** The states before and after the write of an ACL that gets the priority 50, next to writes that are under way. */
function statesWith(sent: readonly Pick<Change, "id" | "sending">[], isFinal = true) {
  const seen: [number[], number[]][] = [];
  const judge: WriteJudge = {
    mayBreak: () => true,
    refusal(before, after) {
      seen.push([numbers(before), numbers(after)]);
      return undefined;
    },
  };
  const guard = { mayRestrict: () => false, refusal: () => undefined, judge };
  const change = { guard, wanted: acl(isFinal ? 50 : 51) };
  const board = { all: () => [{ ...acl(1), id: "acl_1" }] };
  const moves = { board, changes: new Set([change, ...sent]) } as unknown as Moves;
  const refusal = judgedRefusal(moves, change, { before: undefined, after: acl(50) });
  return { seen, refusal };
}

const creating = (priority: number) => ({ sending: { before: undefined, after: acl(priority) } });
const deleting = { id: "acl_1", sending: { before: acl(1), after: undefined } };

test("judges one state if no write is under way", () => {
  expect(statesWith([]).seen).toEqual([[[1], [1, 50]]]);
});

test("judges each combination of up to three writes under way", () => {
  expect(
    statesWith([creating(2)])
      .seen.map(([before]) => before)
      .toSorted(),
  ).toEqual([[1], [1, 2]]);
  const { seen } = statesWith([creating(2), creating(3), deleting]);
  expect(new Set(seen.map(([before]) => before.join()))).toEqual(
    new Set(["", "1", "2", "3", "1,2", "1,3", "2,3", "1,2,3"]),
  );
  expect(seen.every(([before, after]) => after.join() === [...before, 50].join())).toBe(true);
});

test("lets the last write of an ACL wait if more writes are under way", () => {
  const many = [2, 3, 4, 5].map(creating);
  expect(statesWith(many)).toEqual({ seen: [], refusal: expect.any(Error) });
  expect(statesWith(many, false).seen.map(([before]) => before)).toEqual([[1, 2, 3, 4, 5], [1]]);
});
