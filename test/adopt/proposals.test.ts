/** The expectations that adopt proposes as comments. */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { proposalsFor } from "../../src/adopt/proposals";
import type { NetworkAcl } from "../../src/emulator/api/network-acls";
import type { Kind } from "../../src/kinds/kind";
import { succeed } from "../support/program";
import { adoption, root } from "./support/adoption";

const acl = (
  priority: number,
  description: string,
  rule: Omit<NetworkAcl["rule"], "scope">,
  scope = "authentication",
): Partial<NetworkAcl> & { readonly priority: number } => ({
  description,
  active: true,
  priority,
  rule: { ...rule, scope },
});

const [allow, block] = [{ allow: true }, { block: true }];
const addresses = { ipv4_cidrs: ["203.0.113.0/24"], ipv6_cidrs: ["2001:db8::/32"] };
const acls = [
  acl(1, "Bad robots", { action: block, match: { user_agents: ["curl*"] } }),
  acl(2, "Our office", { action: allow, match: addresses }),
  acl(3, 'Sanctions"\n} # evil', { action: block, match: { geo_country_codes: ["KP", "IR"] } }, "tenant"),
  acl(4, "CI", { action: allow, match: { ipv4_cidrs: ["198.51.100.7"] } }, "management"),
  acl(5, "API from CI only", { action: block, not_match: { ipv4_cidrs: ["198.51.100.7"] } }, "management"),
  acl(6, "Hidden", { action: allow, match: { geo_country_codes: ["KP"] } }),
];

const proposed = (contents: Readonly<Record<string, readonly object[] | undefined>>) =>
  proposalsFor((kind: Kind) => contents[kind.name] as readonly Record<string, unknown>[] | undefined);

describe("proposals", () => {
  test("hold on the tenant, the most useful first", () => {
    expect(proposed({ network_acl: acls })).toEqual([
      {
        name: "api from ci only",
        outcome: "blocked",
        request: { scopes: ["management"] },
        except: { ip_cidrs: ["198.51.100.7"] },
      },
    ]);
    // Without the office, sign-in from these countries is blocked everywhere.
    expect(proposed({ network_acl: acls.filter(({ priority }) => priority !== 1 && priority !== 2) })).toEqual([
      { name: "sanctions evil", outcome: "blocked", request: { countries: ["KP", "IR"] } },
      expect.objectContaining({ name: "api from ci only" }),
    ]);
  });

  test("name the addresses that reach the Management API before others", () => {
    const ci = acls[3]!;
    expect(proposed({ network_acl: [{ ...acls[2]!, priority: 9 }, ci] })).toMatchObject([
      { name: "ci", outcome: "reached", request: { scopes: ["management"], ip_cidrs: ["198.51.100.7"] } },
    ]);
  });

  test("are few, and have distinct names", () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      acl(index + 1, "Office", { action: allow, match: { ipv4_cidrs: [`10.${index}.0.0/16`] } }),
    );
    expect(proposed({ network_acl: many }).map(({ name }) => name)).toEqual(["office", "office 2", "office 3"]);
  });

  test("say what limits and members must keep", () => {
    const policies = [
      { consumer_selector: "default", configuration: { action: "block", limit: 100 } },
      { consumer_selector: "third_party_clients", configuration: { action: "block", limit: 50 } },
      { consumer_selector: "client_id:a", configuration: { action: "block", limit: 1 } },
      { consumer_selector: "cimd_clients", configuration: { action: "log", limit: 1 } },
    ];
    const sets = [
      { organization_id: "org_a", members: ["auth0|a"] },
      { organization_id: "org_b", members: ["auth0|a", "auth0|b", "auth0|c"] },
    ];
    expect(proposed({ rate_limit_policy: policies, organization_member_set: sets })).toEqual([
      { name: "limit of third party clients", policy: { consumer: "third_party_clients", at_most: 50 } },
      { name: "members of org_b", members: { organization_id: "org_b", at_least: 2 } },
    ]);
  });

  test("leave out ACLs that are inactive, log, or have values that no request can have", () => {
    const strange = [
      { ...acl(1, "Off", { action: block, match: { geo_country_codes: ["KP"] } }), active: false },
      acl(2, "Log", { action: { log: true }, match: { geo_country_codes: ["KP"] } }),
      acl(3, "Strange", { action: block, match: { geo_country_codes: ["zz top"] } }),
      acl(4, "Key", { action: block, match: { http_message_signature: { keys: [{ id: "key_1" }] } } }),
      acl(5, "Future", { action: block, match: { planets: ["mars"] } }),
    ];
    expect(proposed({ network_acl: strange })).toEqual([]);
    expect(proposed({})).toEqual([]);
  });
});

describe("in the files of adopt", () => {
  const here = adoption();
  beforeEach(() => {
    const organizations = [{ id: "org_quickstart000001", name: "staff", members: ["auth0|ada", "auth0|grace"] }];
    const policies = [{ consumer_selector: "default", configuration: { action: "block", limit: 10 } }];
    const network_acls = acls.filter(({ priority }) => priority > 2);
    return here.open({ seed: { network_acls, organizations, rate_limit_policies: policies } });
  });

  const verdict = "6 imported, 0 to add, 0 to change, 0 to destroy\n";

  /** Removes the marks of every line of code below the two sentences. */
  async function accept(file: string, mark: RegExp): Promise<string> {
    const text = await readFile(path.join(here.directory, file), "utf8");
    const [before, after] = text.split(/(?<=Remove the others\.\n)/) as [string, string];
    const accepted = before + after.replace(mark, "  ");
    await writeFile(path.join(here.directory, file), accepted);
    return accepted;
  }

  test("HCL: a person removes the comment marks, and the plan checks the expectations", async () => {
    expect(await here.adopt("--to", "hcl")).toMatchObject({ code: 0, stdout: verdict });
    await succeed("terraform", ["fmt", "-check", "-recursive"], { cwd: here.directory });
    const accepted = await accept("provider.tf", /^ {2}# /gm);
    expect(accepted.match(/^ {2}expectation \{$/gm)).toHaveLength(4);
    await succeed("terraform", ["fmt", "-check", "-recursive"], { cwd: here.directory });
    const planned = await succeed("terraform", ["plan", "-no-color"], { cwd: here.directory, env: here.env });
    expect(planned).toContain("6 to import, 0 to add, 0 to change, 0 to destroy");
    expect(planned).not.toMatch(/expectation/i);
  });

  test("TypeScript: a person removes the comment marks, and the program compiles and plans", async () => {
    expect(await here.adopt()).toMatchObject({ code: 0, stdout: verdict });
    const accepted = await accept("main.ts", /^ {2}\/\/ /gm);
    expect(accepted.match(/name: "/g)).toHaveLength(4);
    await mkdir(path.join(here.directory, "node_modules"));
    for (const name of ["cdktf", "constructs", "@types"]) {
      await symlink(path.join(root, "node_modules", name), path.join(here.directory, "node_modules", name), "junction");
    }
    await symlink(root, path.join(here.directory, "node_modules/tenantform"), "junction");
    await succeed(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "."], { cwd: here.directory });
    await succeed(process.execPath, ["--import", require.resolve("tsx"), "main.ts"], { cwd: here.directory });
    const cwd = path.join(here.directory, "cdktf.out/stacks/tenant");
    const stack = JSON.parse(await readFile(path.join(cwd, "cdk.tf.json"), "utf8"));
    expect(stack.provider.tenant[0].expectation).toHaveLength(4);
    await succeed("terraform", ["init", "-no-color"], { cwd, env: here.env });
    const planned = await succeed("terraform", ["plan", "-no-color"], { cwd, env: here.env });
    expect(planned).toContain("6 to import, 0 to add, 0 to change, 0 to destroy");
  });
});
