/** Reviews changes that weaken their own lock-out guard, with and without the guard of the base branch. */
import type { Values } from "../../src/impact/model";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { formats } from "../../src/review/command";
import { run } from "../support/program";
import { acl, allow, block, change, planText } from "./support/plan";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-protect-"))));
afterAll(() => rm(folder, { recursive: true }));

const cli = path.join(__dirname, "../../dist/cli.js");
const write = async (name: string, content: unknown) => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await writeFile(path.join(folder, name), text);
  return name;
};
const review = (...args: string[]) => run(process.execPath, [cli, "review", ...args], { cwd: folder });

const at = (name: string) => `tenant_network_acl.${name}`;
const constants = (facts: object) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { constant_value: value as unknown }]));
const provider = (protectedRequest: readonly object[], more: Values = {}, key = "tenant"): Values => ({
  [key]: {
    name: "tenant",
    expressions: {
      domain: { constant_value: "acme.eu.auth0.com" },
      ...(protectedRequest.length > 0 && { protected_request: protectedRequest }),
      ...more,
    },
  },
});
const configured = (...blocks: Values[]): Values => ({
  configuration: { provider_config: Object.assign({}, ...blocks) as Values },
});
const off = (strength: string) => ({ lockout_guard: { constant_value: strength } });
const ci = { name: "our CI", ip: "198.51.100.10" };
const harmless = [change(at("net"), null, acl(9, { action: block, match: { asns: [9] } }))];
const others = [
  change(at("all"), null, acl(9, { action: block, not_match: { ipv4_cidrs: ["192.0.2.9"] }, scope: "management" })),
];

interface Found {
  readonly code: string;
  readonly level: string;
  readonly text: string;
}

async function found(plan: string, ...args: string[]): Promise<Found[]> {
  const { stdout, stderr } = await review(await write("plan.json", plan), "--format", "json", ...args);
  expect(stderr).toBe("");
  return (JSON.parse(stdout) as { effects: Found[] }).effects;
}
const codesOf = (effects: readonly Found[]) => effects.map(({ code }) => code);
const weakened = expect.objectContaining({ code: "TNF-GUARD-WEAKENED", level: "high" });

/** A guard that was not compared with the base branch. */
const weak = expect.objectContaining({ code: "TNF-GUARD-WEAKENED", level: "info" });

describe("without a guard of the base branch", () => {
  test("reports an unknown lockout_guard, and a weak one of another provider configuration", async () => {
    const local = { lockout_guard: { references: ["local.strength"] } };
    expect(await found(planText(harmless, configured(provider([], local))))).toContainEqual(weak);
    // replace(var.strength, "error", "off")
    const variable = {
      variables: { strength: { value: "error" } },
      ...configured(provider([], { lockout_guard: { references: ["var.strength"] } })),
    };
    expect(await found(planText(harmless, variable))).toContainEqual(weak);
    const alias = configured(provider([constants(ci)]), provider([], off("off"), "tenant.quiet"));
    expect(await found(planText(harmless, alias))).toContainEqual(weak);
  });

  test("counts a protected request with an origin as Terraform's own", async () => {
    const own = configured(provider([constants({ ip: "192.0.2.9" })]));
    expect(codesOf(await found(planText(others, own)))).not.toContain("TNF-ACL-LOCKOUT");
  });

  test("reports a protected request that the plan does not show", async () => {
    const requests = [{ name: { constant_value: "our CI" }, ip: { references: ["local.ci"] } }];
    const effects = await found(planText(harmless, configured(provider(requests))));
    expect(effects).toContainEqual(expect.objectContaining({ code: "TNF-GUARD-UNKNOWN", level: "medium" }));
    expect(effects.find(({ code }) => code === "TNF-GUARD-UNKNOWN")!.text).toMatch(
      /`ip` of the protected request "our CI/,
    );
  });
});

describe("with the guard of the base branch", () => {
  const base = () => write("base.json", [ci]);
  const held = async (requests: readonly object[], more: Values = {}, changes = harmless) =>
    found(planText(changes, configured(provider(requests.map(constants), more))), "--protect", await base());

  test("reports a protected request that is dropped, or perhaps in a dynamic block", async () => {
    const effects = await held([]);
    expect(effects).toContainEqual(weakened);
    expect(effects.find(({ code }) => code === "TNF-GUARD-WEAKENED")!.text).toContain(
      'The plan does not show the request "our CI" (ip 198.51.100.10) of base.json: the configuration does not have this request, ' +
        "or has it in a dynamic block",
    );
  });

  test.each([
    ["moves to a configuration that manages no ACL", { [at("net")]: "tenant" }, true],
    ["stays in the one that manages the ACLs", { [at("net")]: "tenant.other" }, false],
  ])("checks a protected request that %s", async (_where, homes, isWeaker) => {
    const { configuration } = configured(provider([]), provider([constants(ci)], {}, "tenant.other"));
    const resources = Object.entries(homes).map(([address, key]) => ({ address, provider_config_key: key }));
    const more = { configuration: { ...(configuration as Values), root_module: { resources } } };
    const codes = codesOf(await found(planText(harmless, more), "--protect", await base()));
    expect(codes.includes("TNF-GUARD-WEAKENED")).toBe(isWeaker);
  });

  test("accepts a plan of the base branch as guard for its tenant", async () => {
    const eu = provider([constants(ci)]);
    const us = provider(
      [constants({ ip: "192.0.2.9" })],
      { domain: { constant_value: "acme.us.auth0.com" } },
      "tenant.us",
    );
    const resources = [
      { address: at("net"), provider_config_key: "tenant" },
      { address: at("us"), provider_config_key: "tenant.us" },
    ];
    const both = (...blocks: Values[]) => ({
      configuration: { provider_config: Object.assign({}, ...blocks) as Values, root_module: { resources } },
    });
    const changes = [
      ...harmless,
      change(at("us"), null, acl(8, { action: allow, match: { asns: [9] } }, { id: "acl_us" })),
    ];
    const file = await write("main.json", planText(changes, both(eu, us)));
    const reviews = async (more: Values) => {
      await write("plan.json", planText(changes, more));
      const { stdout } = await review("plan.json", "--format", "json", "--protect", file);
      return (JSON.parse(stdout) as { plans: { effects: Found[] }[] }).plans.map(({ effects }) => codesOf(effects));
    };
    expect((await reviews(both(eu, us))).flat()).not.toContain("TNF-GUARD-WEAKENED");
    const without = provider([], { domain: { constant_value: "acme.us.auth0.com" } }, "tenant.us");
    const [first, second] = await reviews(both(eu, without));
    expect(first).not.toContain("TNF-GUARD-WEAKENED");
    expect(second).toContain("TNF-GUARD-WEAKENED");
  });

  test("does not count a provider configuration that no resource uses", async () => {
    const file = await write("main.json", planText(harmless, configured(provider([constants(ci)]))));
    const resources = [{ address: at("net"), provider_config_key: "tenant" }];
    const moved = (own: readonly object[], unused: readonly object[], changes = harmless) => {
      const { configuration } = configured(provider(own), provider(unused, {}, "tenant.unused"));
      return planText(changes, { configuration: { ...(configuration as Values), root_module: { resources } } });
    };
    for (const changes of [harmless, []]) {
      expect(await found(moved([], [constants(ci)], changes), "--protect", file)).toContainEqual(weakened);
      expect(await found(moved([constants(ci)], [], changes), "--protect", file)).not.toContainEqual(weakened);
    }
  });

  test("keeps the guard if the plan names its tenant in another way", async () => {
    const file = await write("main.json", planText(harmless, configured(provider([constants(ci)]))));
    const moved = configured(provider([], { domain: { constant_value: "ACME.eu.auth0.com." } }));
    expect(await found(planText(harmless, moved), "--protect", file)).toContainEqual(weakened);
  });

  test.each(formats)("shows the effect in %s, with exit code 3", async (format) => {
    await write("plan.json", planText(harmless, configured(provider([]))));
    const file = await base();
    const { code, stdout } = await review("plan.json", "--format", format, "--fail-on", "high", "--protect", file);
    expect(code).toBe(3);
    expect(stdout).toContain("TNF-GUARD-WEAKENED");
    expect(stdout).toContain("our CI");
  });
});

describe("refuses a file", () => {
  const unknownFact = { name: { constant_value: "our CI" }, ip: { references: ["local.ci"] } };
  test.each<[string, unknown, string]>([
    ["is no JSON", "ip = 192.0.2.9", "cannot be read as JSON"],
    ["is empty", "", "cannot be read as JSON"],
    ["lists nothing", [], "lists no protected requests"],
    ["has no list", { lockout_guard: "error" }, "lists no protected requests"],
    ["has another strength", { lockout_guard: "on", protected_request: [ci] }, 'lockout_guard is "on"'],
    ["has more than a guard", { protected_request: [ci], ip: "192.0.2.9" }, '"ip" is not known'],
    ["lists no object", ["198.51.100.10"], "request 1: give an object of facts"],
    ["lists a request without facts", [ci, { name: "all" }], "request 2 describes no request"],
    ["has a fact that there is not", [{ adress: "192.0.2.9" }], '"adress" is not a fact'],
    ["has a fact that all objects have", [{ constructor: "x" }], '"constructor" is not a fact'],
    ["has a fact that is a prototype", '[{"__proto__": {"ip": "192.0.2.9"}}]', '"__proto__" is not a fact'],
    ["has characters that nobody sees", [{ ip: "192.0.2\u200d.9" }], 'ip is "192.0.2\\u{200d}.9"'],
    ["has an empty fact", [{ ip: "" }], 'ip is "": give an IPv4 or IPv6 address'],
    ["has a block for an address", [{ ip: "192.0.2.0/24" }], 'ip is "192.0.2.0/24"'],
    ["has no address", [{ ip: "300.1.1.1" }], 'ip is "300.1.1.1"'],
    ["has null for a fact", [{ ip: null }], "ip is null"],
    ["has no country", [{ country: "Germany" }], 'country is "Germany"'],
    ["has a path of another form", [{ path: "api/v2", ip: "192.0.2.9" }], 'path is "api/v2"'],
    ["is a plan without a provider", planText([]), "has no `protected_request`"],
    ["is a plan that protects nothing", planText([], configured(provider([]))), "has no `protected_request`"],
    ["is a plan that does not tell a fact", planText([], configured(provider([unknownFact]))), "`ip` of a request"],
    [
      "is a plan that does not tell the strength",
      planText([], configured(provider([constants(ci)], { lockout_guard: {} }))),
      "this plan does not show the value of `lockout_guard`",
    ],
  ])("that %s, with exit code 2", async (_why, content, words) => {
    await write("plan.json", planText(harmless));
    const { code, stdout, stderr } = await review("plan.json", "--protect", await write("guard.json", content));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("guard.json");
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^[^\n]+ https:\S+#tenantform-review\n$/);
  });

  test("that does not exist, with exit code 2", async () => {
    await write("plan.json", planText(harmless));
    expect(await review("plan.json", "--protect", "missing.json")).toMatchObject({ code: 2, stdout: "" });
  });
});
