/** Checks that the provider passes only states that the review evaluates, while ACLs change priorities. */
import fc from "fast-check";
import type { PlannedObject, Values } from "../../src/impact/model";
import { aclVersions } from "../../src/impact/network-acl/versions";
import { aclChanges } from "../../src/impact/transient/acl-change";
import { groupsOf, type AclStage } from "../../src/impact/transient/stages";
import { run } from "../tenant/support/rearranging";

const most = 7;
/** Distinct priorities before and after. */
const moves = fc
  .tuple(
    fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { minLength: most, maxLength: most }),
    fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { minLength: most, maxLength: most }),
    fc.integer({ min: 2, max: most }),
  )
  .map(([from, to, count]) =>
    from.slice(0, count).map((priority, index) => ({ id: `acl_${index}`, from: priority, to: to[index]! })),
  );

const rule: Values = { action: { block: true }, match_all: true, scope: "tenant" };
const values = (id: string, priority: number): Values => ({ id, description: id, active: true, priority, rule });

const planned = ({ id, from, to }: { id: string; from: number; to: number }): PlannedObject => ({
  address: `tenant_network_acl.${id}`,
  type: "tenant_network_acl",
  actions: from === to ? ["no-op"] : ["update"],
  before: values(id, from),
  after: values(id, to),
});

const stateOf = ({ acls }: Pick<AclStage, "acls">) =>
  JSON.stringify(acls.map(({ id, priority }) => [id, priority]).toSorted());

test("passes only states that the review evaluates", async () => {
  let detours = 0;
  await fc.assert(
    fc.asyncProperty(moves, fc.func(fc.integer({ min: 1, max: 400 })), async (all, latency) => {
      const objects = all.map(planned);
      const groups = groupsOf(aclChanges(aclVersions([objects]), objects), () => false)!;
      let draws = 0;
      const { writes, errors } = await run({
        start: Object.fromEntries(all.map(({ id, from }) => [id, from])),
        changes: all.filter(({ from, to }) => from !== to),
        parallel: 10,
        latency: () => latency(draws++),
      });
      expect(errors).toEqual([]);
      const now = new Map(all.map(({ id, from }) => [id, from]));
      for (const [, id, priority] of writes.map((write) => /^put (\S+) (\d+)$/.exec(write)!)) {
        now.set(id!, Number(priority));
        if (!all.some((one) => one.id === id && [one.from, one.to].includes(Number(priority)))) detours++;
        for (const stages of groups) {
          const own = new Set(stages.flatMap(({ acls }) => acls.map((acl) => acl.id!)));
          const acls = [...own].map((each) => ({ id: each, priority: now.get(each)! }));
          expect(stages.map(stateOf)).toContain(JSON.stringify(acls.map((acl) => [acl.id, acl.priority]).toSorted()));
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(detours).toBeGreaterThan(10);
});
