/** Checks the priorities that NetworkAclOrder assigns and stores, and the warnings about unreachable ACLs. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Action, Match, NetworkAcl, NetworkAclOrder, type NetworkAclRule, TenantProvider } from "../../src/constructs";
import { NetworkAcl as Generated } from "../../src/constructs/bindings/network-acl";
import type { Plain } from "../../src/constructs/checks";
import { prioritiesFor } from "../../src/constructs/network-acl-order";
import fc from "../support/random";
import { openProject, type Project } from "./support/project";

describe("NetworkAclOrder", () => {
  let project: Project;
  let prioritiesFile: string;
  beforeEach(() => {
    project = openProject();
    prioritiesFile = path.join(project.folder, "priorities.json");
  });

  const ruleFor = (...countries: string[]): NetworkAclRule => ({
    action: Action.block(),
    match: Match.countries(...countries),
    scope: "authentication",
  });

  function order(ids: readonly string[]): NetworkAclOrder {
    const acls = ids.map((id, index) => ({ id, description: id, rule: ruleFor(`Q${"MNOPRSTUVW"[index]}`) }));
    return new NetworkAclOrder(project.stack, "edge", { acls, prioritiesFile });
  }

  const priorities = ({ acls }: NetworkAclOrder) =>
    Object.fromEntries(acls.map((acl) => [acl.node.id, acl.priorityInput]));

  /** Runs in a project that has the same priorities file. */
  function again(): void {
    const noted = readFileSync(prioritiesFile, "utf8");
    project = openProject();
    prioritiesFile = path.join(project.folder, "priorities.json");
    writeFileSync(prioritiesFile, noted);
  }

  test("stores the priorities, so an ACL inserted later does not change the others", async () => {
    expect(priorities(order(["office", "sanctions", "scanners"]))).toEqual({ office: 10, sanctions: 20, scanners: 30 });
    project.app.synth();
    expect(readFileSync(prioritiesFile, "utf8")).toBe(
      '{\n  "stack/edge": {\n    "office": 10,\n    "sanctions": 20,\n    "scanners": 30\n  }\n}\n',
    );
    again();
    const longer = order(["office", "partner", "sanctions"]);
    expect(priorities(longer)).toEqual({ office: 10, partner: 15, sanctions: 20 });
    expect(longer.get("partner").node.path).toBe("stack/edge/partner");
    expect(() => longer.get("scanners")).toThrow("stack/edge has no ACL scanners. It has office, partner, sanctions.");
    project.app.synth();
    expect(JSON.parse(readFileSync(prioritiesFile, "utf8"))).toEqual({
      "stack/edge": { office: 10, partner: 15, sanctions: 20 },
    });
    expect(await project.terraform("init")).toMatchObject({ code: 0 });
    expect(await project.terraform("validate")).toMatchObject({ code: 0 });
  });

  test("numbers an added ACL as if the order had been declared with it", () => {
    const edge = order(["office", "sanctions"]);
    const acl = (id: string) => ({ id, description: "", rule: ruleFor("AQ") });
    expect(edge.add(acl("last")).node.path).toBe("stack/edge/last");
    edge.add(acl("partner"), "sanctions");
    const declared = { office: 10, partner: 20, sanctions: 30, last: 40 };
    expect(priorities(edge)).toEqual(declared);
    project.app.synth();
    expect(JSON.parse(readFileSync(prioritiesFile, "utf8"))).toEqual({ "stack/edge": declared });
    again();
    const longer = order(["office", "partner", "sanctions"]);
    longer.add(acl("first"), "office");
    longer.add({ ...acl("last"), description: "x".repeat(256) });
    expect(priorities(longer)).toEqual({ first: 5, ...declared });
    expect(project.complaints()).toEqual([expect.stringMatching(/^stack\/edge\/last: `description`/)]);
    expect(() => longer.add(acl("x"), "y")).toThrow("stack/edge has no ACL y. It has first, office, ");
    expect(() => longer.add({ ...acl("x"), priority: 5 } as never)).toThrow("[stack/edge] `acl.priority` is 5: leave");
  });

  test("lets each block and redirect depend on the allows before it, beside what the author names", () => {
    const rule = (action: NetworkAclRule["action"]): NetworkAclRule => ({ ...ruleFor("AQ"), action });
    const own = new NetworkAcl(project.stack, "own", { description: "", priority: 100, rule: ruleFor("QM") });
    const edge = new NetworkAclOrder(project.stack, "edge", {
      prioritiesFile,
      acls: [
        { id: "early", description: "", rule: rule(Action.block()) },
        { id: "office", description: "", rule: rule(Action.allow()), dependsOn: [own] },
        { id: "watch", description: "", rule: rule(Action.log()) },
        { id: "rest", description: "", rule: rule(Action.redirect("https://example.com")), dependsOn: [own] },
      ],
    });
    edge.get("watch").putRule(rule(Action.allow()));
    edge.add({ id: "late", description: "", rule: rule(Action.allow()) }, "rest");
    project.app.synth();
    const written = JSON.parse(project.read("cdk.tf.json")).resource.tenant_network_acl as Record<string, Plain>;
    const dependsOn = (id: string) =>
      Object.entries(written).find(([name]) => name.startsWith(`edge_${id}_`))![1]["depends_on"];
    const office = expect.stringMatching(/^tenant_network_acl\.edge_office_/);
    expect(dependsOn("early")).toBeUndefined();
    expect(dependsOn("office")).toEqual(["tenant_network_acl.own"]);
    expect(dependsOn("watch")).toBeUndefined();
    const watch = expect.stringMatching(/^tenant_network_acl\.edge_watch_/);
    const late = expect.stringMatching(/^tenant_network_acl\.edge_late_/);
    expect(dependsOn("rest")).toEqual(["tenant_network_acl.own", office, watch, late]);
  });

  test("lets no block depend on an ACL that moved out of the order", () => {
    const edge = order(["office", "sanctions"]);
    edge.get("office").putRule({ ...ruleFor("AQ"), action: Action.allow() });
    edge.get("sanctions").putRule({ ...ruleFor("AQ"), action: Action.block() });
    new NetworkAcl(project.stack, "new", { description: "", priority: 90, rule: ruleFor("AQ") }).addMoveTarget("new");
    edge.get("office").moveTo("new");
    project.app.synth();
    expect(project.read("cdk.tf.json")).not.toContain("depends_on");
  });

  test("names a file of priorities that cannot be written", () => {
    const file = path.join(prioritiesFile, "missing", "a.json");
    new NetworkAclOrder(project.stack, "edge", { acls: [], prioritiesFile: file });
    expect(() => project.app.synth()).toThrow(
      `\`prioritiesFile\` is ${file}, which cannot be written (ENOENT): create`,
    );
  });

  test("warns once of more network ACLs than an Auth0 subscription includes", () => {
    for (let index = 1; index <= 12; index++) {
      new NetworkAcl(project.stack, `acl-${index}`, {
        description: "",
        priority: index,
        rule: { action: Action.block(), match: { asns: [64_500 + index] }, scope: "authentication" },
      });
    }
    expect(project.complaints()).toEqual([]);
    expect(project.warnings()).toEqual([expect.stringMatching(/^stack\/acl-11: The stack has 12 network ACLs/)]);
  });

  test("shares one file between several orders, and stores nothing for a refused stack", () => {
    order(["office"]);
    new NetworkAclOrder(project.stack, "more", {
      acls: [{ id: "a", description: "", rule: ruleFor("AQ") }],
      first: 51,
      prioritiesFile,
    });
    project.app.synth();
    const noted = readFileSync(prioritiesFile, "utf8");
    expect(JSON.parse(noted)).toEqual({ "stack/edge": { office: 10 }, "stack/more": { a: 60 } });
    again();
    order(["office", "other"]);
    new NetworkAcl(project.stack, "wrong", { description: "", priority: 0, rule: ruleFor("AQ") });
    expect(() => project.app.synth()).toThrow("stack/wrong");
    expect(readFileSync(prioritiesFile, "utf8")).toBe(noted);
  });

  test("writes no file without prioritiesFile, and names a damaged file", () => {
    const acls = [{ id: "a", description: "", rule: ruleFor("AQ") }];
    expect(
      new NetworkAclOrder(project.stack, "forgetful", { acls, prioritiesFile: false }).get("a").priorityInput,
    ).toBe(10);
    writeFileSync(prioritiesFile, "<<<<<<< HEAD");
    expect(() => order(["a"])).toThrow(`The priorities in ${prioritiesFile} cannot be read (`);
  });

  describe("an ACL that can never match", () => {
    const rule = { action: Action.block(), scope: "authentication" };
    const wide = Match.addresses("203.0.0.0/16");
    const narrow = { ...rule, match: Match.addresses("203.0.113.0/24") };

    test("is reported for the generated class too, with the default priority", () => {
      const own = { ...rule, match: { geoCountryCodes: ["DE"] } };
      // Uses the generated class, whose values no other check has read before.
      for (const acl of [{ priority: 49 }, {}]) {
        new Generated(project.stack, `acl-${acl.priority ?? "usual"}`, { description: "", rule: own, ...acl });
      }
      expect(project.complaints()).toEqual([]);
      expect(project.warnings()).toEqual([
        expect.stringMatching(/^stack\/acl-usual: .* shadowed by stack\/acl-49 \(priority 49\)/),
      ]);
    });

    test("is reported with all ACLs that shadow it together, but not with one of another tenant", () => {
      const { stack } = project;
      const provider = new TenantProvider(stack, "other", { alias: "other" });
      new NetworkAcl(stack, "elsewhere", { description: "", priority: 1, rule: { ...rule, match: wide }, provider });
      new NetworkAcl(stack, "narrow", { description: "", priority: 2, rule: narrow });
      const halves = { low: Match.addresses("203.0.0.0/17"), high: Match.addresses("203.0.128.0/17") };
      Object.entries(halves).forEach(([id, match], index) => {
        new NetworkAcl(stack, id, { description: "", priority: index + 3, rule: { ...rule, match } });
      });
      new NetworkAcl(stack, "both", { description: "", priority: 5, rule: { ...rule, match: wide } });
      expect(project.complaints()).toEqual([]);
      expect(project.warnings()).toEqual([
        expect.stringMatching(
          /^stack\/both: .* stack\/low \(priority 3\) and stack\/high \(priority 4\)\..* \[TNF-ACL-SHADOWED\]$/,
        ),
      ]);
    });
  });
});

const whole = { first: 1, last: 100 };
const numbers = (ids: readonly string[], earlier?: Record<string, number>, { first, last } = whole) =>
  prioritiesFor(ids, first, last, earlier);

const many = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
const byThree = Object.fromEntries(many(25).map((id, at) => [id, 3 + at * 3]));

test.each<[string, readonly string[], Record<string, number> | undefined, Record<string, number>, [number, number]?]>([
  ["counts in tens", ["a", "b", "c"], undefined, { a: 10, b: 20, c: 30 }],
  ["puts an ACL between two", ["a", "x", "b"], { a: 10, b: 20 }, { a: 10, x: 15, b: 20 }],
  ["puts an ACL first", ["x", "a", "b"], { a: 10, b: 20 }, { x: 5, a: 10, b: 20 }],
  ["puts an ACL last", ["a", "b", "x"], { a: 10, b: 20 }, { a: 10, b: 20, x: 30 }],
  ["moves only neighbours", ["a", "x", "b", "c"], { a: 1, b: 2, c: 50 }, { a: 1, x: 17, b: 33, c: 50 }],
  ["makes room at the end", ["a", "x"], { a: 100 }, { a: 10, x: 20 }],
  ["begins with a ten that is the first of the range", ["a", "b"], {}, { a: 40, b: 50 }, [40, 100]],
  ["begins with the first ten of the range", ["a", "b"], {}, { a: 50, b: 60 }, [43, 100]],
  ["leaves out the tens without room for them", ["a", "b"], {}, { a: 87, b: 94 }, [81, 100]],
  ["fills a range", ["a", "b"], {}, { a: 41, b: 42 }, [41, 42]],
  ["counts in smaller steps for many ACLs", many(25), {}, byThree],
])("%s", (_what, names, noted, expected, [first, last] = [1, 100]) =>
  expect(numbers(names, noted, { first, last })).toEqual(expected),
);

const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghijklmnop"), { maxLength: 16 });
const earlier = fc.dictionary(fc.constantFrom(..."abcdefghijklmnop"), fc.integer({ min: -5, max: 120 }));
const range = fc
  .tuple(fc.integer({ min: 1, max: 84 }), fc.nat(16))
  .map(([first, more]) => ({ first, last: first + 15 + more }));

test("increase within the range for any earlier priorities, and stay the same the next time", () => {
  fc.assert(
    fc.property(ids, earlier, fc.oneof(fc.constant(whole), range), (names, noted, within) => {
      const given = Object.values(numbers(names, noted, within));
      expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
      expect(given.every((number) => Number.isInteger(number) && number >= within.first && number <= within.last)).toBe(
        true,
      );
      const again = numbers(names, numbers(names, noted, within), within);
      expect(Object.values(again)).toEqual(given);
    }),
  );
});

test("keeps all other priorities while there is room between the neighbours", () => {
  fc.assert(
    fc.property(ids, fc.nat(16), (names, place) => {
      const before = numbers(names);
      const inserted = names.toSpliced(Math.min(place, names.length), 0, "new");
      expect(numbers(inserted, before)).toMatchObject(before);
    }),
  );
});
