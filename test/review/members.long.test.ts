/** Compares the members that a review says lose access with those whom the resource removes from a tenant. */
import { worded } from "../judge/impact/support/worded";
import type { Marks, Values } from "../../src/judge/impact/model";
import type { Effect } from "../../src/judge/impact/effect";
import fc from "../support/random";
import { resource as memberSet } from "../../src/provider/resources/organization-member-set/service";
import { embed } from "../tenant/support/embedded";
import { members } from "./support/objects";
import { change, reviewOf } from "./support/plan";
import { expectSeen } from "../support/seed";

const set = "tenant_organization_member_set.staff";
const moves = { actions: ["delete", "create"] };

const people = Array.from({ length: 5 }, (_, index) => `auth0|${index}`);
const some = fc.subarray(people);
const settings = fc.record({
  exclusive: fc.boolean(),
  remove_existing: fc.boolean(),
  on_destroy: fc.constantFrom("remove", "keep"),
  members: some,
});
const scenario = fc.record({
  present: fc.tuple(some, some),
  before: fc.option(
    fc.record({ exclusive: fc.boolean(), on_destroy: fc.constantFrom("remove", "keep"), listed: some }),
  ),
  after: fc.option(settings),
  isElsewhere: fc.boolean(),
  unknown: fc.subarray(["members", "exclusive", "remove_existing", "organization_id"]),
  isAsked: fc.boolean(),
});

test("removes only counted members, and all named members", async () => {
  const { emulator, tenant } = await embed();
  let lost = 0;
  let emptied = 0;
  let organizations = 0;
  const checkEffects = (all: readonly Effect[], organization: string, were: string[], are: string[]) => {
    const effects = all.map(worded).filter(({ code, who }) => who !== undefined && code.startsWith("TNF-MEMBERS"));
    const certain = effects.filter(({ text, certainty }) => certainty === "certain" && text.includes(organization));
    for (const { text, who, share } of certain) {
      const ids = who!.split(", ");
      const moved = text.includes("gain")
        ? are.filter((id) => !were.includes(id))
        : were.filter((id) => !are.includes(id));
      expect(moved).toEqual(expect.arrayContaining(ids));
      if (share) expect(share.value * were.length).toBeCloseTo(ids.length);
      const isEmptied = text.includes("nobody is left");
      emptied += Number(isEmptied);
      const mayReturn = effects.some(({ text: one }) => one.includes("`organization_id`"));
      if (isEmptied) expect([text, are]).toEqual([text, []]);
      if (share?.value === 1 && are.length === 0 && !mayReturn) expect([text, isEmptied]).toEqual([text, true]);
    }
    const joined = are.filter((id) => !were.includes(id));
    const isOpen = effects.some(({ text }) => text.startsWith("More members may gain access"));
    const named = effects.filter(({ text }) => text.includes("gain")).flatMap(({ who }) => who!.split(", "));
    if (!isOpen) expect(named).toEqual(expect.arrayContaining(joined));
  };
  await fc.assert(
    fc.asyncProperty(scenario, async ({ present, before: was, after: is, isElsewhere, unknown, isAsked }) => {
      fc.pre(was !== null || is !== null);
      const [one, two] = present.map((ids) => {
        const { id } = emulator.store.addOrganization({ name: `o${organizations++}` });
        emulator.store.addMembers(id, ids);
        return id;
      }) as [string, string];
      const target = isElsewhere ? two : one;
      const own = was && {
        ...members(one, was.exclusive ? present[0] : was.listed.filter((id) => present[0].includes(id))),
        id: one,
        exclusive: was.exclusive,
        on_destroy: was.on_destroy,
        remove_existing: false,
      };
      const wanted = is && { ...members(target, is.members), ...is };
      const isOpen = (name: string) => wanted !== null && unknown.includes(name as never);
      const replaced = own && wanted && (isElsewhere || isOpen("organization_id"));
      const open = Object.fromEntries(unknown.filter(isOpen).map((name) => [name, true]));
      const seen = wanted && Object.fromEntries(Object.entries(wanted).filter(([name]) => !isOpen(name)));
      const told = { unknown: open as Marks, ...(replaced ? moves : own && wanted && { actions: ["update"] }) };
      const all = new Map([one, two].map((id, index) => [id, present[index]!] as const));
      const { members: rows, effects } = reviewOf(
        [change(set, own as Values | null, seen, told)],
        {},
        isAsked ? { remote: { organization_members: all } } : {},
      );

      const client = { tenant, statements: { expectations: [] } };
      const context = { client, log: () => {}, warn: () => {}, others: () => [], adopted: () => {} } as never;
      const refuses =
        wanted?.exclusive &&
        !wanted.remove_existing &&
        (!own || target !== one) &&
        all.get(target)!.some((id) => !wanted.members.includes(id));
      const known = wanted && { ...wanted, id: target };
      if (own && (replaced || !wanted)) {
        await memberSet.delete(
          own as never,
          context,
          replaced && !isOpen("organization_id") ? ({ organization_id: target } as never) : undefined,
        );
      }
      if (own && wanted && !replaced) await memberSet.update(known as never, own as never, context);
      else if (wanted && !refuses) await memberSet.create(known as never, context);

      for (const [organization, ids] of all) {
        const now = await tenant.organizationMembers.list(organization);
        const gone = ids.filter((id) => !now.includes(id));
        lost += gone.length;
        const about = rows.filter(({ organization_id: id }) => id === organization || id === null);
        const named = about.flatMap(({ loses }) => loses);
        const uncounted = about.some(({ may_lose }) => may_lose === null);
        const counted = about.reduce((sum, { may_lose }) => sum + (may_lose ?? 0), 0);
        if (!uncounted) expect(gone.filter((id) => !named.includes(id)).length).toBeLessThanOrEqual(counted);
        if (!refuses)
          expect(gone).toEqual(
            expect.arrayContaining(
              rows.filter(({ organization_id: id }) => id === organization).flatMap(({ loses }) => loses),
            ),
          );
        if (!refuses) checkEffects(effects, organization, ids, now);
      }
    }),
    { numRuns: 200 },
  );
  expectSeen(lost, 100);
  expectSeen(emptied, 5);
});
