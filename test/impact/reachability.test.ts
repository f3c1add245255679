/** Unreachable ACLs, equal priorities, and their effects. */
import { priorityEffects, samePriority, reachabilityEffects } from "../../src/impact/network-acl/changes";
import { manyAclsEffects } from "../../src/impact/network-acl/many";
import { unreachableAcls } from "../../src/impact/network-acl/analysis";
import { unchangedAcls } from "../../src/impact/network-acl/acl";
import { sharing } from "../../src/impact/objects/duplicates";
import { acl, allow, block, everywhere, log } from "./support/acls";

const shadowed = (...acls: Parameters<typeof unreachableAcls>[0]) =>
  unreachableAcls(acls).map(({ acl: one, shadowedBy }) => [one.priority, shadowedBy.map(({ priority }) => priority)]);

describe("an ACL is unreachable", () => {
  test("if one ACL before it matches all of its requests", () => {
    const found = shadowed(
      acl(1, { match: { ipv4_cidrs: ["10.0.0.0/8"] } }),
      acl(2, { match: { ipv4_cidrs: ["10.1.0.0/16"] } }),
    );
    expect(found).toEqual([[2, [1]]]);
  });

  test("if two ACLs before it together match all of its requests", () => {
    const found = shadowed(
      acl(1, { match: { ipv4_cidrs: ["10.0.0.0/9"] } }),
      acl(2, { match: { ipv4_cidrs: ["10.128.0.0/9"] } }),
      acl(3, { match: { ipv4_cidrs: ["10.0.0.0/8"] } }),
    );
    expect(found).toEqual([[3, [1, 2]]]);
  });

  test("if its own criteria contradict each other", () => {
    expect(shadowed(acl(1, { match: { asns: [1] }, not_match: { asns: [1] } }))).toEqual([[1, []]]);
  });

  test("if known ACLs shadow it, although many other ACLs are unknown", () => {
    const unknown = Array.from({ length: 8 }, (_, index) =>
      acl(index + 10, { match: { asns: [Symbol(`n${index}`)] } }),
    );
    const found = shadowed(acl(1, { match: { asns: [1, 2] } }), acl(2, { match: { asns: [1] } }), ...unknown);
    expect(found).toEqual([[2, [1]]]);
  });
});

describe("an ACL is reachable", () => {
  const narrow = acl(2, { match: { asns: [1] } });

  test("if the ACL before it matches only a part", () => {
    expect(shadowed(acl(1, { match: { asns: [1] } }), acl(2, { match: { asns: [1, 2] } }))).toEqual([]);
  });

  test.each([
    ["that logs", acl(1, { action: log, match: { asns: [1] } })],
    ["that is inactive", acl(1, { match: { asns: [1] } }, { active: false })],
    ["with another scope", acl(1, { match: { asns: [1] }, scope: "management" })],
    ["with an unknown rule", acl(1, { match: Symbol("unknown") })],
    ["with an unknown priority", acl(1, { match: { asns: [1] } }, { priority: Symbol("unknown") })],
    ["that may belong to another tenant", { ...acl(1, { match: { asns: [1] } }), unplaced: true as const }],
  ])("after an ACL %s", (_what, first) => {
    expect(shadowed(first, narrow)).toEqual([]);
  });
});

test("reports an unreachable ACL with the ACLs that shadow it", () => {
  const acls = [
    acl(1, everywhereRule()),
    acl(2, { match: { asns: [1] } }),
    acl(3, { match: { asns: [2] }, not_match: { asns: [2] } }),
  ];
  const found = reachabilityEffects(unreachableAcls(acls), new Set());
  expect(found).toMatchObject([
    {
      code: "TNF-ACL-SHADOWED",
      level: "medium",
      address: "acl.2",
      text: '"ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).',
    },
    {
      code: "TNF-ACL-SHADOWED",
      level: "medium",
      address: "acl.3",
      text: '"ACL 3" (priority 3) can never match: no request has all that its own criteria demand.',
    },
  ]);
});

function everywhereRule() {
  return { action: block, match: everywhere };
}

describe("a effect was so before the plan", () => {
  const [wall, office, home] = [acl(1, everywhereRule()), acl(2, { match: { asns: [1] } }), acl(9, {})];
  const other = acl(5, { match: { asns: [2] } });
  type Acls = readonly ReturnType<typeof acl>[];
  const already = (before: Acls, after: Acls) =>
    reachabilityEffects(unreachableAcls(after), unchangedAcls({ before, after })).map(
      ({ address, already: is }) => [address, is ?? false] as const,
    );

  test.each<[string, Acls, Acls]>([
    ["if nothing changes", [wall, office], [acl(1, everywhereRule()), acl(2, { match: { asns: [1] } })]],
    ["if the plan changes another ACL", [wall, office, home], [wall, office, { ...home, active: false }]],
    [
      "if the plan adds a better explanation",
      [acl(3, { match: { asns: [1, 2] } }), acl(4, { match: { asns: [3] } }), acl(6, { match: { asns: [1, 3] } })],
      [
        acl(1, { action: allow, match: { asns: [1, 3] } }),
        acl(3, { match: { asns: [1, 2] } }),
        acl(4, { match: { asns: [3] } }),
        acl(6, { match: { asns: [1, 3] } }),
      ],
    ],
  ])("%s", (_what, before, after) => {
    expect(already(before, after).at(-1)![1]).toBe(true);
  });

  test.each<[string, Acls, Acls]>([
    ["adds it", [wall], [wall, office]],
    ["switches it on", [wall, { ...office, active: false }], [wall, office]],
    ["changes its rule", [wall, acl(2, { match: { asns: [3] } })], [wall, office]],
    ["replaces it", [wall, office], [wall, acl(2, { match: { asns: [1] } }, { id: Symbol("unknown") })]],
    ["adds the ACL that shadows it", [office], [wall, office]],
    ["changes the ACL that shadows it", [{ ...wall, rule: { ...wall.rule, scope: "tenant" } }, office], [wall, office]],
  ])("but not if the plan %s", (_what, before, after) => {
    expect(already([...before, other], [...after, other])).toContainEqual(["acl.2", false]);
  });

  test("if two ACLs had the same priority, and the plan changes neither of them", () => {
    const twice = [acl(7, {}, { id: "acl_a" }), { ...acl(7, {}, { id: "acl_b" }), key: "acl.b" }];
    const earlier = (before: Acls) =>
      priorityEffects(twice, unchangedAcls({ before, after: twice })).map(({ already: is }) => is);
    expect(earlier([...twice])).toEqual([true]);
    expect(earlier([twice[0]!])).toEqual([undefined]);
    expect(earlier([twice[0]!, { ...twice[1]!, active: false }])).toEqual([undefined]);
  });
});

test("an ACL with the same unknown part on both sides is unchanged", () => {
  const unknown = () => acl(1, { match: { asns: [Symbol("the unknown part of acl.1")] } });
  expect(unchangedAcls({ before: [unknown()], after: [unknown()] }).size).toBe(1);
  expect(unchangedAcls({ before: [acl(1, { match: { asns: [1] } })], after: [unknown()] }).size).toBe(0);
});

test("more than ten ACLs are announced if the plan adds some of them", () => {
  const acls = (count: number) => Array.from({ length: count }, (_, index) => acl(index + 1, {}));
  const told = (before: number, after: number) => manyAclsEffects({ before: acls(before), after: acls(after) });
  expect([told(0, 10), told(12, 12), told(13, 12)]).toEqual([[], [], []]);
  expect(told(10, 11)).toMatchObject([
    { code: "TNF-ACL-MANY", level: "info", text: expect.stringMatching(/^After the apply, there are 11 network ACLs/) },
  ]);
});

describe("equal priorities", () => {
  test("are found in groups, inactive ACLs included", () => {
    const acls = [acl(1, {}), acl(2, {}), acl(1, {}, { active: false }), acl(2, {}), acl(3, {})];
    expect(samePriority(acls).map((group) => group.map((one) => acls.indexOf(one)))).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  test("need known priorities", () => {
    const unknown = () => acl(1, {}, { priority: Symbol("unknown") });
    expect(samePriority([unknown(), unknown()])).toEqual([]);
  });

  test("are reported for ACLs of one tenant", () => {
    const twice = [acl(7, {}, { description: "A" }), acl(7, {}, { description: "B" })];
    expect(priorityEffects(twice, new Set())).toEqual([
      expect.objectContaining({
        code: "TNF-ACL-SAME-PRIORITY",
        level: "medium",
        text:
          '"A" (priority 7) and "B" (priority 7) have the same priority, 7. A tenant has one network ACL for each priority, so the apply ' +
          "fails, or the order of evaluation is not known. Give each its own priority, from 1 to 100.",
      }),
    ]);
    expect(priorityEffects([twice[0]!, { ...twice[1]!, unplaced: true }], new Set())).toEqual([]);
  });

  test("hide a sensitive priority", () => {
    const twice = [acl(7, {}, {}, { priority: true }), acl(7, {})];
    expect(priorityEffects(twice, new Set())[0]!.text).toContain("have the same priority, (sensitive).");
  });
});

test("groups objects by a key only if the key is known", () => {
  expect(sharing(["a", "b", "aa", "c", "cc"], (text) => (text === "b" ? undefined : text[0]))).toEqual([
    ["a", "aa"],
    ["c", "cc"],
  ]);
});
