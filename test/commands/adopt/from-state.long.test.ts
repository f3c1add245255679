/** `tenantform adopt --from-state`, with a state that the Go provider wrote: real Terraform, the built command. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { readGoProviderState } from "../../../src/commands/adopt/go-provider";
import { kinds } from "../../../src/judge/kinds/kinds";
import { tenantProvider } from "../../../src/provider/resources/provider";
import { adoption, imported, stateOf } from "./support/adoption";

const office = "acl_jstb1FoRzgHhwKiYTMcMCS";
const redirect = { action: { redirect: true, redirect_uri: "https://example.com/x" }, not_match: { asns: [64496] } };
const seed = {
  network_acls: [
    {
      id: office,
      description: "Allow the office",
      active: true,
      priority: 3,
      rule: {
        action: { allow: true },
        match: { ipv4_cidrs: ["203.0.113.0/24", "198.51.100.7"], geo_country_codes: ["DE"] },
        scope: "management",
      },
    },
    ...["acl_3tW9vmwwajaawiKvuNUW8e", "acl_cWV1jW9R7hCkQtmR3hWKQ5"].map((id, index) => ({
      id,
      description: `Block ${"ab"[index]}`,
      active: false,
      priority: 4 + index,
      rule: { ...redirect, scope: "authentication" },
    })),
  ],
  rate_limit_policies: [
    {
      id: "rlp_5Gpyc2SHvrDkbRwsofubN",
      consumer_selector: "third_party_clients",
      configuration: { action: "block", limit: 0 },
    },
  ],
  organizations: [
    { id: "org_quickstart000001", name: "staff", members: ["auth0|ada", "auth0|grace"] },
    { id: "org_quickstart000002", name: "crowd", members: ["auth0|00001", "auth0|00003", "auth0|00007"] },
    { id: "org_quickstart000003", name: "single", members: ["auth0|x", "auth0|y"] },
  ],
};

const criteria =
  "asns auth0_managed connecting_ipv4_cidrs connecting_ipv6_cidrs geo_country_codes geo_subdivision_codes hostnames " +
  "ipv4_cidrs ipv6_cidrs ja3_fingerprints ja4_fingerprints user_agents";
/** The Go provider writes every criterion and action of an ACL, and each block as a list. */
function ofGo({ rule, ...acl }: { readonly rule: Record<string, unknown> }) {
  const block = (match: unknown) =>
    match ? [{ ...Object.fromEntries(criteria.split(" ").map((name) => [name, null])), ...match }] : [];
  const action = { allow: false, block: false, log: false, redirect: false, redirect_uri: "" };
  const rest = { action: [{ ...action, ...(rule.action as object) }], scope: rule.scope };
  return { ...acl, rule: [{ ...rest, match: block(rule.match), not_match: block(rule.not_match) }] };
}
const single = (organization_id: string, user_id: string) => ({
  id: `${organization_id}::${user_id}`,
  organization_id,
  user_id,
});
const [allow, ...blocks] = seed.network_acls.map(ofGo);
const [staff] = seed.organizations;
const [policy] = seed.rate_limit_policies;
const stamps = { created_at: "2026-11-21T21:18:15Z", updated_at: "2026-11-21T21:18:15Z" };
/** Three network ACLs (two by for_each), a policy, a member set, and three single members of two organizations. */
const given = stateOf(
  { type: "auth0_network_acl", name: "each", instances: blocks.map((acl, index) => [acl, "ab"[index]] as const) },
  { type: "auth0_network_acl", name: "office", instances: [[allow]] },
  { type: "auth0_organization_member", name: "one", instances: [[single("org_quickstart000003", "auth0|x")]] },
  {
    type: "auth0_organization_member",
    name: "some",
    instances: ["auth0|00003", "auth0|00007"].map((user) => [single("org_quickstart000002", user), user] as const),
  },
  {
    type: "auth0_organization_members",
    name: "staff",
    instances: [[{ id: staff!.id, organization_id: staff!.id, members: staff!.members }]],
  },
  {
    type: "auth0_rate_limit_policy",
    name: "third",
    instances: [
      [
        {
          ...policy,
          ...stamps,
          resource: "oauth_authentication_api",
          consumer: "client",
          configuration: [{ ...policy!.configuration, redirect_uri: "" }],
        },
      ],
    ],
  },
);

const here = adoption();
let state: string;
const file = async (text: string) => {
  const name = path.join(here.home, "given.tfstate");
  await writeFile(name, text);
  return name;
};
beforeEach(async () => {
  await here.open({ seed });
  state = await file(given);
});

test.each(["hcl", "typescript"])(
  "%s: imports everything if the state is elsewhere, and changes nothing",
  async (language) => {
    const ended = await here.adopt("--from-state", state, "--to", language);
    expect(ended).toMatchObject(imported(7));
    const written = here.emulator.requests.filter(({ path: at, method }) => at.startsWith("/api/") && method !== "GET");
    expect(written).toEqual([]);
    if (language === "hcl") {
      const moves = await here.read("moves.tf");
      expect(moves).toContain('moved {\n  from = auth0_network_acl.each["a"]\n  to   = tenant_network_acl.each_a\n}');
      expect(moves).toContain(
        "removed {\n  from = auth0_organization_member.some\n  lifecycle {\n    destroy = false\n",
      );
      expect(moves.match(/^moved/gm)).toHaveLength(6);
      expect(await here.read("imports.tf")).toContain('id = "org_quickstart000002:auth0|00003,auth0|00007"');
      expect(await here.read("members.tf")).toMatch(/"some" \{[^}]*members +=.*00007"\]\n +exclusive +=.*false/);
    } else {
      const acls = await here.read("tenant/network-acls.ts");
      expect(acls).toContain(`officeAcl.importFrom("${office}");\n  officeAcl.moveFromId("auth0_network_acl.office");`);
      expect(await here.read("tenant/members.ts")).toContain(
        '{ from: "auth0_organization_member.some", lifecycle: { destroy: false } }',
      );
    }
  },
);

test("names the line of a resource that the other provider still declares", async () => {
  await mkdir(here.directory);
  const theirs = `terraform {
  required_providers {
    auth0 = { source = "auth0/auth0" }
  }
}

resource "auth0_network_acl" "office" {
  description = "Allow the office"
}
`;
  await writeFile(path.join(here.directory, "main.tf"), theirs);
  const ended = await here.adopt("--from-state", state);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("main.tf:7: remove auth0_network_acl.office, which moves");
  expect(await here.read("main.tf")).toBe(theirs);
  // A configuration requires its providers in one place; ours is added to theirs.
  expect(await here.read("tenant_override.tf")).toMatch(/^terraform \{[^]*tenantform\/tenant/);
});

test("imports many members of a set from its file", async () => {
  const many = Array.from({ length: 40 }, (_, index) => `auth0|${index},%`);
  const instances = many.map((user) => [single("org_quickstart000002", user), user] as const);
  const crowd = { type: "auth0_organization_member", name: "crowd", module: 'module.people["x"]', instances };
  state = await file(stateOf(crowd));
  here.emulator.store.addMembers("org_quickstart000002", many);
  for (const language of ["hcl", "typescript"]) {
    here.directory = path.join(here.home, language);
    const ended = await here.adopt("--from-state", state, "--to", language);
    expect(ended).toMatchObject(imported(1));
    // Terraform refuses keys of modules here.
    const removed = await here.read(language === "hcl" ? "moves.tf" : "tenant/members.ts");
    expect(removed).toContain("module.people.auth0_organization_member.crowd");
  }
});

test("forgets a resource as a whole if one organization has several of its instances, and loses no member", async () => {
  const [two, three] = ["org_quickstart000002", "org_quickstart000003"] as const;
  const members = { id: three, organization_id: three, members: ["auth0|whole"] };
  const instances = ["auth0|00003", "auth0|00007"].map((user) => [single(two, user), `2${user}`] as const);
  state = await file(
    stateOf(
      {
        type: "auth0_organization_member",
        name: "each",
        instances: [...instances, [single(staff!.id, "auth0|z"), "z"]],
      },
      { type: "auth0_organization_member", name: "one", instances: [[single(three, "auth0|x")]] },
      { type: "auth0_organization_members", name: "whole", instances: [[members]] },
    ),
  );
  const refused = await here.adopt("--from-state", state, "--organization", two);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`auth0_organization_member.each also has members of the organization ${staff!.id}`),
  ]);
  await here.adopt("--from-state", state, "--to", "hcl");
  const moves = await here.read("moves.tf");
  expect(moves.match(/^moved|^removed|auth0_\w+\.\w+$/gm)).toEqual(
    ["members.whole", "member.one", "member.each"].flatMap((name) => ["removed", `auth0_organization_${name}`]),
  );
  expect(await here.read("members.tf")).toMatch(/\["auth0\|whole", "auth0\|x"\]\n +exclusive +=.*false/);
});

test("writes a key as a comment with its import and move, without its material", async () => {
  const value = "c2hoaGhoaGhoaGg=";
  const attributes = { id: "key_2222222222222222222222", name: "Edge 2026", alg: "hmac-sha256", value };
  state = await file(stateOf({ type: "auth0_network_acl_key", name: "edge", instances: [[attributes]] }));
  for (const language of ["hcl", "typescript"]) {
    here.directory = path.join(here.home, language);
    const ended = await here.adopt("--from-state", state, "--to", language);
    expect(ended).toMatchObject(imported(0));
    const written = await here.read(language === "hcl" ? "network_acl_keys.tf" : "tenant/network-acl-keys.ts");
    expect(written).toContain(
      language === "hcl"
        ? "# moved {\n#   from = auth0_network_acl_key.edge\n#   to   = tenant_network_acl_key.edge\n# }\n"
        : '  // edgeKey.moveFromId("auth0_network_acl_key.edge");\n',
    );
    expect(written + ended.stderr).not.toContain(value);
  }
});

test("refuses a file that is no state, or has no object of this provider", async () => {
  for (const [text, words] of [
    ["{", "cannot be read as a state"],
    ['{"version": 3}', "is not a state of Terraform 0.12 or newer"],
    ['{"version": 4, "resources": []}', "adopt takes over: auth0_network_acl"],
  ] as const) {
    const wanted = { kinds, organizations: [] };
    await expect(readGoProviderState(await file(text), tenantProvider("0.0.0", {}), wanted)).rejects.toThrow(words);
  }
  expect(await here.adopt("--from-state", path.join(here.home, "nowhere"))).toMatchObject({ code: 2, stdout: "" });
});
