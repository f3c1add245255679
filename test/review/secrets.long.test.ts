/** Puts sensitive values into every part of a plan, and searches for them in every output format. */
import type { Values } from "../../src/impact/model";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { formats } from "../../src/review/command";
import { run } from "../support/program";
import { acl, change, members, planText, policy } from "./support/plan";

const cli = path.join(__dirname, "../../dist/cli.js");
let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-hidden-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Values of each signal, before and after. */
const signals: Record<string, [unknown, unknown]> = {
  asns: [[64991], [64992]],
  geo_country_codes: [["QX"], ["QZ"]],
  geo_subdivision_codes: [["QX-9"], ["QZ-9"]],
  ipv4_cidrs: [["198.18.91.0/24"], ["198.18.92.0/24"]],
  ipv6_cidrs: [["2001:db8:91::/48"], ["2001:db8:92::/48"]],
  connecting_ipv4_cidrs: [["198.19.91.0/24"], ["198.19.92.0/24"]],
  connecting_ipv6_cidrs: [["2001:db8:191::/48"], ["2001:db8:192::/48"]],
  ja3_fingerprints: [["5ecre7a1"], ["5ecre7a2"]],
  ja4_fingerprints: [["5ecre7b1"], ["5ecre7b2"]],
  user_agents: [["secret-agent-1"], ["secret-agent-2"]],
  hostnames: [["secret-one.example"], ["secret-two.example"]],
  auth0_managed: [["auth0.secret1"], ["auth0.secret2"]],
  http_message_signature: [{ keys: [{ id: "secret-key-1" }] }, { keys: [{ id: "secret-key-2" }] }],
};
const block = { block: true };

const changes = [
  ...Object.entries(signals).flatMap(([name, [before, after]], index) => [
    change(
      `tenant_network_acl.m${index}`,
      acl(index + 1, { action: block, match: { [name]: before } }),
      acl(index + 1, { action: block, match: { [name]: after } }),
      { sensitive: { rule: { match: { [name]: true } } } },
    ),
    change(
      `tenant_network_acl.n${index}`,
      acl(index + 31, { action: { allow: true }, match: { asns: [5] }, not_match: { [name]: before } }),
      acl(index + 31, { action: { allow: true }, match: { asns: [5] }, not_match: { [name]: after } }),
      { sensitive: { rule: { not_match: { [name]: Array.isArray(before) ? [true] : true } } } },
    ),
  ]),
  change(
    "tenant_network_acl.away",
    acl(61, { action: { redirect: true, redirect_uri: "https://secret-old.example/" }, match: { asns: [6] } }),
    acl(61, { action: { redirect: true, redirect_uri: "https://secret-new.example/" }, match: { asns: [6] } }),
    { sensitive: { rule: { action: { redirect_uri: true } } } },
  ),
  change(
    "tenant_rate_limit_policy.p",
    policy("client_id:secret-client", {
      action: "redirect",
      limit: 7391,
      redirect_uri: "https://secret-limit.example",
    }),
    policy("client_id:secret-client", {
      action: "redirect",
      limit: 7392,
      redirect_uri: "https://secret-limit2.example",
    }),
    { sensitive: { consumer_selector: true, configuration: true } },
  ),
  change(
    "tenant_organization_member_set.s",
    members("org_secret", ["auth0|secret1", "auth0|secret2"]),
    members("org_secret", []),
    { sensitive: { organization_id: true, members: true } },
  ),
  change(
    "tenant_rate_limit_policy.q",
    policy("client_group_id:secret-group", { action: "block", limit: 50 }),
    policy("client_group_id:secret-group", { action: "block", limit: 60 }),
    { sensitive: { consumer_selector: true } },
  ),
  change("tenant_rate_limit_policy.gone", policy("client_id:secret-gone", { action: "block", limit: 50 }), null, {
    sensitive: { consumer_selector: true, resource: true, consumer: true },
  }),
  change("tenant_organization_member_set.t", members("org_secret2", ["auth0|x"]), members("org_secret3", ["auth0|y"]), {
    sensitive: { organization_id: true },
  }),
  change("auth0_organization_member.s", { organization_id: "org_b", user_id: "auth0|secret3" }, null, {
    sensitive: { user_id: true },
  }),
];
/** Attributes of a later version, and unknown values. Assumptions name their values. */
const later = [
  change(
    "tenant_network_acl.open",
    acl(62, { action: { redirect: true, redirect_uri: "https://other.example/" }, match: { asns: [7] } }),
    acl(62, { action: { redirect: true, redirect_uri: null }, match: { asns: [7] } }),
    { unknown: { rule: { action: { redirect_uri: true } } } },
  ),
  change(
    "tenant_network_acl.whole",
    acl(63, { action: block, match: { user_agents: ["secret-whole-1"] } }, { description: "secret-title" }),
    acl(
      63,
      { action: block, match: { user_agents: ["secret-whole-2"] }, new_property: "secret-future" },
      { description: "secret-title" },
    ),
    { sensitive: { rule: true, description: true, priority: true } },
  ),
  change(
    "tenant_network_acl.later",
    acl(64, { action: block, match: { later_signal: ["secret-later-1"] } }),
    acl(64, { action: block, match: { later_signal: ["secret-later-2"] } }),
    { sensitive: { rule: { match: { later_signal: [true] } } } },
  ),
  changes.find(({ address }) => address === "tenant_network_acl.away")!,
];

const more: Values = {
  variables: {
    password: { value: "secret-variable" },
    runner: { value: "198.18.92.7" },
    called: { value: "secret-name" },
  },
  configuration: {
    provider_config: {
      tenant: {
        name: "tenant",
        expressions: {
          protected_request: [
            { name: { references: ["var.called"] }, ip: { references: ["var.runner"] }, asn: { constant_value: 6 } },
          ],
        },
      },
    },
    root_module: {
      variables: { runner: { sensitive: true }, called: { sensitive: true }, password: { sensitive: true } },
    },
  },
  resource_drift: [
    change("tenant_network_acl.m0", acl(1, { description: "secret-drift" }), acl(1, {}), { sensitive: { rule: true } }),
  ],
  prior_state: {
    values: {
      root_module: {
        resources: [
          {
            address: "tenant_network_acl.left",
            mode: "managed",
            type: "tenant_network_acl",
            values: acl(80, { action: block, match: { user_agents: ["secret-left"] } }),
            sensitive_values: { rule: { match: { user_agents: [true] } } },
          },
        ],
      },
    },
  },
};

const secret = /secret|5ecre7|6499[12]|Q[XZ]\b|198\.1[89]\.9[12]|2001:db8:1?9[12]:|739[12]/i;

const cases = formats.flatMap((format) => [[format, changes] as const, [format, later] as const]);

test.each(cases)("shows nothing sensitive as %s (case %#)", async (format, told) => {
  await writeFile(path.join(folder, "plan.json"), planText(told, more));
  await writeFile(
    path.join(folder, "probes.json"),
    JSON.stringify([
      { name: "ours", asn: 6 },
      { name: "another", asn: 5 },
    ]),
  );
  const args = [cli, "review", "plan.json", "--format", format, "--probe", "probes.json"];
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  // The script of the page and the rules of SARIF contain no values, and "tenant_network_acl.m0" is an address.
  const own = stdout.replace(/<script>[^]*?<\/script>/g, "").replace(/"rules": \[[^]*?\n {10}\]/, "");
  expect(own).not.toMatch(secret);
  expect(stdout.length).toBeGreaterThan(1000);
});

const state = {
  format_version: "1.0",
  values: {
    root_module: {
      resources: [
        {
          address: "tenant_network_acl.x",
          mode: "managed",
          type: "tenant_network_acl",
          values: acl(1, { action: block, match: { user_agents: ["secret-agent"] } }, { description: "secret-title" }),
          sensitive_values: { description: true, rule: { match: { user_agents: [true] } } },
        },
      ],
    },
  },
};
const stored = {
  version: 4,
  serial: 1,
  resources: [
    {
      mode: "managed",
      type: "tenant_network_acl",
      name: "x",
      instances: [
        {
          attributes: acl(
            1,
            { action: block, match: { user_agents: ["secret-agent"] } },
            { description: "secret-title" },
          ),
          sensitive_attributes: [
            [{ type: "get_attr", value: "description" }],
            [
              { type: "get_attr", value: "rule" },
              { type: "get_attr", value: "match" },
              { type: "get_attr", value: "user_agents" },
              { type: "index", value: 0 },
            ],
          ],
        },
      ],
    },
  ],
};

test.each([
  ["a plan", JSON.parse(planText(changes, more)) as object],
  ["a state as it is shown", state],
  ["a state file", stored],
])("shows nothing sensitive in explain for %s", async (_, document) => {
  await writeFile(path.join(folder, "explained.json"), JSON.stringify(document));
  const args = [cli, "explain", "explained.json", "--user-agent", "mine", "--asn", "5"];
  const { code, stdout } = await run(process.execPath, args, { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).not.toMatch(secret);
  expect(stdout).toContain("(sensitive)");
});
