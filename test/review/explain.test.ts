/** `tenantform explain` for a plan, both forms of a state, and a tenant. */
import { explain, type ExplainFlags } from "../../src/review/commands/explain";
import { listeningTenant } from "../support/tenant";
import { openFolder, printed } from "./support/command";
import { acl, allow, block, kept } from "./support/objects";
import { change, inState, planText, prior } from "./support/plan";

const { put, folder } = openFolder();
const explained = (document: unknown, flags: ExplainFlags, environment: NodeJS.ProcessEnv = {}) => {
  const file = document === undefined ? undefined : put("file.json", document);
  return printed((edge) => explain(file, flags, edge), { environment });
};

const from = { match: { ipv4_cidrs: ["203.0.113.0/24"] } };
const office = acl(1, { action: allow, ...from }, { description: "Office" });
const korea = { geo_country_codes: ["KP"] };
const sanctions = acl(2, { action: block, match: korea }, { description: "Sanctions\u001b[31m" });
const at = (name: string) => `tenant_network_acl.${name}`;
const child_modules = [{ resources: [inState(at("x"), sanctions)] }];
const root_module = { resources: [inState(at("x"), office)], child_modules };
const state = { format_version: "1.0", values: { root_module } };
const stored = {
  version: 4,
  resources: [office, sanctions].map((attributes, index) => ({
    mode: "managed",
    type: index === 0 ? "tenant_network_acl" : "auth0_network_acl",
    name: "x",
    instances: [{ attributes }],
  })),
};
const planned = planText([change(at("a"), office, null), kept(at("b"), sanctions)]);
const facts = { ip: "203.0.113.7", country: "KP", path: "/authorize" };
const told = [
  '"Office" (priority 1) matches: match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7',
  '=> allowed by "Office" (priority 1)',
];
const blocked = [
  '"Sanctions\\u001b[31m" (priority 2) matches: match.geo_country_codes KP matches the country KP',
  '=> blocked by "Sanctions\\u001b[31m" (priority 2)',
];
const ja4 = acl(2, { action: block, match: { ja4_fingerprints: ["ja4fingerprint1"] } });
const fingerprinted = planText([kept(at("p"), ja4)]);
const fingerprintTold = [
  '"ACL 2" (priority 2) matches: match.ja4_fingerprints ja4fingerprint1 matches the JA4 fingerprint ja4fingerprint1',
  '=> blocked by "ACL 2" (priority 2)',
];
const byHand = prior(
  inState("data.tenant_network_acls.all", { network_acls: [{ ...office, description: "By hand" }] }),
);
const byHandTold = told.map((line) => line.replace("Office", "By hand"));
const only = /^Only managed network ACLs were evaluated\./;

test.each<[string, unknown, ExplainFlags, readonly string[], readonly RegExp[]]>([
  ["a state as it is shown", state, facts, told, [only]],
  ["a state file", stored, facts, told, [only]],
  ["a plan", planned, facts, blocked, [only]],
  ["a plan with an error", { ...JSON.parse(planned), errored: true }, facts, blocked, [/^The plan failed/, only]],
  ["a fingerprint of a rule", fingerprinted, { ja4: "JA4fingerprint1" }, fingerprintTold, [only]],
  ["unmanaged ACLs", planText([kept(at("b"), sanctions)], byHand), facts, byHandTold, []],
  [
    "a request without the facts that decide",
    state,
    { ip: "192.0.2.1" },
    [
      '"Office" (priority 1) does not match: match.ipv4_cidrs 203.0.113.0/24 does not match the address 192.0.2.1',
      '"Sanctions\\u001b[31m" (priority 2) may match: match.geo_country_codes KP may match the country, which is not known',
      "=> blocked or allowed: unknown facts decide",
    ],
    [only],
  ],
])("%s", async (_what, document, flags, lines, notes) => {
  const { code, stdout, stderr } = await explained(document, flags);
  expect([code, stdout.trimEnd().split("\n")]).toEqual([0, lines]);
  expect(stderr.split("\n").filter(Boolean)).toEqual(notes.map((note): unknown => expect.stringMatching(note)));
});

test("explains the plans of a folder", async () => {
  put("cdktf.out/stacks/base/plan", planned);
  const { stdout } = await printed((edge) => explain(`${folder}/cdktf.out`, facts, edge));
  expect(stdout).toContain('=> blocked by "Sanctions');
});

test("explains a request for the tenant alone, and for a plan on it", async () => {
  const remote = { description: "Remote", active: true, priority: 3 };
  const rule = { action: { block: true }, match: { asns: [64500] }, scope: "tenant" as const };
  const { env: environment, close } = await listeningTenant({ seed: { network_acls: [{ ...remote, rule }] } });
  try {
    const last = async (document: unknown, asn: number) => {
      const { stdout, stderr } = await explained(document, { tenant: true, asn }, environment);
      return [stdout.trimEnd().split("\n").at(-1), stderr];
    };
    expect(await last(undefined, 64500)).toEqual(['=> blocked by "Remote" (priority 3)', ""]);
    const blocking = planText([change(at("new"), null, acl(1, { action: block, match: { asns: [64501] } }))]);
    expect(await last(blocking, 64500)).toEqual(['=> blocked by "Remote" (priority 3)', ""]);
    expect(await last(blocking, 64501)).toEqual(['=> blocked by "ACL 1" (priority 1)', ""]);
    expect(await last(blocking, 64502)).toEqual(["=> allowed, because no ACL matches", ""]);
    const logging = planText([change(at("new"), null, acl(1, { action: { log: true }, match: { asns: [64501] } }))]);
    expect(await last(logging, 64501)).toEqual(["=> allowed, because no ACL decides it", ""]);
    expect((await last(state, 64500))[0]).toBe('=> blocked by "Remote" (priority 3)');
  } finally {
    await close();
  }
});

test.each<[string, unknown, ExplainFlags, string]>([
  ["no JSON", "nothing", facts, "file.json"],
  ["the tenant before a plan that nobody names", undefined, { tenant: true, before: true }, "--before needs a plan"],
  ["what was before a state", state, { before: true }, "--before needs a plan, and file shows no change"],
  ["a fingerprint that is none, and in no rule", state, { ja4: "ja4fingerprint1" }, "--ja4: "],
  ["an address that is none", state, { ip: "300.1.1.1" }, "--ip: "],
  ["a path that is none", state, { path: "/%zz" }, "is not a path"],
])("refuses %s in one line and with exit code 2", async (_what, document, flags, words) => {
  const { code, stdout, stderr } = await explained(document, flags);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n\u200d]+#tenantform-explain\n$/);
  expect(stderr).toContain(words);
});
