/** `tenantform adopt` in an empty folder: real Terraform, the built command. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { NetworkAcl } from "../../../src/emulator/api/network-acls";
import type { EmulatorOptions } from "../../../src/emulator/emulator";
import { fingerprintOf } from "../../../src/provider/resources/network-acl-key/definition";
import { succeed, type Ended } from "../../support/program";
import { tokenOf } from "../../support/token";
import { root } from "../../support/folder";
import { adoption, imported } from "./support/adoption";

const here = adoption();
const staff = "org_quickstart000001";
const crowd = "org_quickstart000002";

const office = { ipv4_cidrs: ["203.0.113.0/24", "198.51.100.7"] };
const tor = { auth0_managed: ["auth0.tor"], asns: [64496, 64497] };
const people = Array.from({ length: 250 }, (_, index) => `auth0|${String(index).padStart(4, "0")}`);
const seed = {
  network_acls: [
    acl(5, "Allow the office network", { action: { allow: true }, match: office }),
    acl(10, 'Кафе "Ü" ${x} %{if}\n\\', { action: { block: true }, match: tor }),
    acl(20, "Block all but the office network", {
      action: { redirect: true, redirect_uri: "https://example.com/?a=${b}" },
      not_match: { ipv4_cidrs: ["198.51.100.7", "203.0.113.0/24"] },
    }),
    acl(30, "Block bots", { action: { block: true }, match: { user_agents: ["curl/8"] } }),
    acl(31, "Block bots", { action: { log: true }, match: { geo_country_codes: ["KP"] }, scope: "tenant" }),
  ],
  rate_limit_policies: [
    { consumer_selector: "default", configuration: { action: "block", limit: 10 } },
    { consumer_selector: "third_party_clients", configuration: { action: "block", limit: 10 } },
    { consumer_selector: "client_id:dyHrzVfRhDaQ9ySxWpCrvtBpPjEJGqMF", configuration: { action: "log", limit: 0 } },
  ],
  organizations: [
    { id: staff, name: "staff", members: ["auth0|grace", "auth0|ada"] },
    { id: crowd, name: "crowd", members: people },
    { id: "org_quickstart000003", name: "empty" },
  ],
};

function acl(
  priority: number,
  description: string,
  { scope = "authentication", ...rule }: Omit<NetworkAcl["rule"], "scope"> & { readonly scope?: string },
) {
  return { description, active: priority !== 20, priority, rule: { ...rule, scope } };
}

const verdict = ({ stdout }: Ended) => stdout.trim();

/** Method, path and query of each API call. */
const asked = () =>
  here.emulator.requests
    .filter(({ path: at }) => at.startsWith("/api/"))
    .map(({ method, path: at }) => `${method} ${at}`);

test("HCL: imports everything with few requests, and writes HCL as people write it", async () => {
  await here.open({ seed });
  const ended = await here.adopt("--to", "hcl");
  expect(ended.stderr).toMatch(
    /\nType next:\n  cd .* && terraform plan -out=plan +# .*\n  npx tenantform review plan .*\n  terraform apply plan /,
  );
  expect(ended.stderr).toContain("Read 5 network ACLs, 3 rate limit policies and 2 organizations with 252 members.");
  expect(ended).toMatchObject(imported(10));
  // Adopt and the plan read the same. Adopt also reads the list of organizations, the empty organization and the keys.
  expect(asked()).toHaveLength(9 + 6);
  expect(asked().every((line) => line.startsWith("GET"))).toBe(true);

  const acls = await here.read("network_acls.tf");
  expect(acls.match(/^resource .*/gm)).toEqual(
    [
      "allow_the_office_network",
      "kafe_u_x_if",
      "block_all_but_the_office_network",
      "block_bots_authentication",
      "block_bots_tenant",
    ].map((name) => `resource "tenant_network_acl" "${name}" {`),
  );
  expect(acls).toContain('= ["203.0.113.0/24", "198.51.100.7"]\n');
  expect(acls).toContain("# auth0_managed is an Early Access feature");
  expect(await here.read("rate_limit_policies.tf")).toMatch(
    /same as the default policy.*\nresource "tenant_rate_limit_policy" "third_party_clients"/,
  );
  expect(await here.read("members.tf")).toContain('members         = ["auth0|ada", "auth0|grace"]');
  expect(JSON.parse(await here.read("members/crowd.json"))).toHaveLength(250);
  await succeed("terraform", ["fmt", "-check", "-recursive"], { cwd: here.directory });
  expect(JSON.stringify(await here.contents())).not.toContain(here.emulator.clientSecret);
});

test("TypeScript: imports everything, in a project that compiles and is formatted", async () => {
  await here.open({ seed });
  const ended = await here.adopt();
  expect(ended).toMatchObject(imported(10));
  const written = ".gitignore cdktf.json cdktf.out main.ts members package.json tenant tsconfig.json";
  expect((await readdir(here.directory)).toSorted()).toEqual(written.split(" "));
  const acls = await here.read("tenant/network-acls.ts");
  expect(acls).toContain('match: { ipv4Cidrs: ["203.0.113.0/24", "198.51.100.7"] },');
  expect(acls).toContain('action: { redirect: true, redirectUri: "https://example.com/?a=$${b}" },');

  const files = [...(await here.contents()).keys()].filter((file) => /\.(ts|json)$/.test(file));
  expect(files.length).toBeGreaterThan(6);
  const prettier = path.join(root, "node_modules/prettier/bin/prettier.cjs");
  await succeed(process.execPath, [prettier, "--no-config", "--ignore-path", "none", "--check", ...files], {
    cwd: here.directory,
  });

  const modules = path.join(here.directory, "node_modules");
  await mkdir(modules);
  for (const name of ["cdktf", "constructs", "@types"]) {
    await symlink(path.join(root, "node_modules", name), path.join(modules, name), "junction");
  }
  await symlink(root, path.join(modules, "tenantform"), "junction");
  await succeed(process.execPath, [require.resolve("typescript/bin/tsc")], { cwd: here.directory });
});

test("TypeScript, from a clone that no folder of packages has", async () => {
  await here.open({ seed: { network_acls: seed.network_acls } });
  await rm(path.join(here.home, "node_modules"), { recursive: true });
  expect(await here.adopt("--to", "typescript")).toMatchObject(imported(5));
});

test.each(["hcl", "typescript"])(
  "%s: a second run adds new objects, notes objects that are gone, and leaves every file unchanged",
  async (language) => {
    await here.open({ seed });
    await here.adopt("--to", language);
    const main = language === "hcl" ? "network_acls.tf" : "tenant/network-acls.ts";
    await appendFile(path.join(here.directory, main), language === "hcl" ? "# mine\n" : "// mine\n");
    const before = await here.contents();
    expect((await here.adopt("--to", language)).stderr).toContain("Nothing is new: no file was written.");
    expect(await here.contents()).toEqual(before);

    const token = await tokenOf(here.env.TENANT_ENDPOINT!, here.emulator);
    const api = async (method: string, at: string, body?: object) => {
      const answer = await fetch(`${here.env.TENANT_ENDPOINT}${at}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body && JSON.stringify(body),
      });
      return answer.json() as Promise<any>;
    };
    const [first] = await api("GET", "/api/v2/network-acls");
    await api("DELETE", `/api/v2/network-acls/${first.id}`);
    const bots = acl(77, "Block bots", { action: { block: true }, match: { asns: [64500] } });
    await api("POST", "/api/v2/network-acls", bots);
    const again = await here.adopt("--to", language);
    const after = await here.contents();
    for (const [file, content] of before) expect([file, after.get(file)]).toEqual([file, content]);
    const added = language === "hcl" ? ["imports-2.tf", "network_acls-2.tf"] : ["tenant/network-acls-2.ts"];
    expect([...after.keys()].filter((file) => !before.has(file)).toSorted()).toEqual(added);
    expect(again.stderr).toContain(`${first.id} is gone from the tenant`);
    expect(after.get(added.at(-1)!)).toMatch(/"block[-_]bots"/);
    expect(again.code).toBe(1);
    expect(verdict(again)).toBe("Not proven: the plan fails with an error");
    expect(again.stderr).toContain(first.id);
  },
);

test("declares no object again that a program of the user imports", async () => {
  await here.open({ seed });
  const [first] = here.emulator.snapshot().network_acls!;
  const program = `import { App, TerraformStack } from "cdktf";
import { Match, NetworkAcl, TenantProvider, Action } from "tenantform";

const stack = new TerraformStack(new App(), "tenant");
new TenantProvider(stack, "tenant");
const acl = new NetworkAcl(stack, "office", {
  description: "Allow the office network",
  priority: 5,
  rule: { action: Action.allow(), match: Match.addresses("203.0.113.0/24", "198.51.100.7"), scope: "authentication" },
});
acl.importFrom("${first!.id}");
(stack.node.root as App).synth();
`;
  await mkdir(here.directory);
  await writeFile(path.join(here.directory, "main.ts"), program);
  const ended = await here.adopt("--only", "acls");
  expect(ended.stderr).toContain("1 object already declared.");
  expect(ended.stderr).toContain('Your program stays unchanged. adopted.ts declares a separate stack, "adopted".');
  expect(ended).toMatchObject(imported(4));
  expect(await here.read("main.ts")).toBe(program);
  // The stack of the user keeps its folder and its state.
  expect(await readdir(path.join(here.directory, "cdktf.out/stacks"))).toEqual(["adopted", "tenant"]);
  expect(await here.read("cdktf.out/stacks/tenant/cdk.tf.json")).toContain(first!.id);
});

test("writes nothing if a program of the here.directory cannot be synthesized", async () => {
  await here.open({ seed });
  await mkdir(here.directory);
  await writeFile(path.join(here.directory, "main.ts"), 'import "cdktf";\nthrow new Error("broken");\n');
  const ended = await here.adopt();
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/main\.ts cannot be synthesized, so its declarations are not known[^]*broken/);
  expect(await readdir(here.directory)).toEqual(["main.ts"]);
});

test("starts no program of the here.directory through a relative PATH entry", async () => {
  await here.open({ seed });
  await mkdir(here.directory, { recursive: true });
  for (const name of ["terraform", "tofu"]) {
    await writeFile(path.join(here.directory, name), `#!/bin/sh\ntouch '${here.home}/started'\nexit 1\n`, {
      mode: 0o755,
    });
  }
  here.env.PATH = `:.:${process.env.PATH}`;
  const ended = await here.adopt("--to", "hcl", "--only", "policies");
  expect(ended).toMatchObject(imported(3));
  expect(existsSync(path.join(here.home, "started"))).toBe(false);
});

test("leaves out a kind that the token may not read, and names it", async () => {
  const scopes = ["read:network_acls", "read:organizations", "read:organization_members"];
  await here.open({ seed: { ...seed, clients: [{ client_id: "narrow", client_secret: "narrow secret", scopes }] } });
  Object.assign(here.env, { TENANT_CLIENT_ID: "narrow", TENANT_CLIENT_SECRET: "narrow secret" });
  const ended = await here.adopt("--to", "hcl");
  expect(ended.stderr).toContain(
    "The rate limit policies are left out: Insufficient scope, expected any of: read:rate_limit_policies",
  );
  // Nobody turned their feature on, so the embedded tenant has no such scope.
  expect(ended.stderr).not.toContain("network ACL keys");
  expect(ended).toMatchObject(imported(7));
});

test("adopts only the named kinds, and a named organization without members", async () => {
  await here.open({ seed });
  const empty = "org_quickstart000003";
  const named = ["--organization", empty, "--organization", staff];
  const ended = await here.adopt("--to", "hcl", "--only", "members", ...named);
  expect(ended.stdout).toBe("2 imported, 0 to add, 0 to change, 0 to destroy\n");
  expect(await here.read("members.tf")).toContain("members         = []");
  expect(existsSync(path.join(here.directory, "network_acls.tf"))).toBe(false);
});

const material = randomBytes(32).toString("base64");
const key = { id: "key_2222222222222222222222", name: "Edge 2026", value: material };
const prefixed = `edge-${fingerprintOf(material).slice(0, 8)}`;
const rotating = { id: "key_3333333333333333333333", name: prefixed, value: material };
const signed = acl(7, "Signed", {
  action: { allow: true },
  match: { http_message_signature: { keys: [{ id: key.id }, { id: "key_4444444444444444444444" }] } },
});
const withKeys: EmulatorOptions = {
  flags: ["tenant_acl_hmac_signature"],
  seed: { network_acl_keys: [rotating, key], network_acls: [signed] },
};

test("HCL: writes keys as comments that work once their material is given; rules name keys by id", async () => {
  await here.open(withKeys);
  const ended = await here.adopt("--to", "hcl");
  expect(ended.stderr).toMatch(
    /Found 1 network ACL and 2 network ACL keys\.[^]*key_3+ is written as a comment only: The service does not return/,
  );
  expect(ended).toMatchObject(imported(1));
  expect(asked().filter((line) => line.endsWith("/keys/network-acls"))).toHaveLength(2);
  expect(await here.read("network_acls.tf")).toMatch(
    /# It names the keys "Edge 2026" \(key_2+\) and key_4+ by[\s#]+their ids, [^]*id = "key_2+"/,
  );
  const written = await here.read("network_acl_keys.tf");
  expect(written.split("\n").every((line) => line === "" || line.startsWith("#"))).toBe(true);
  expect(written).toContain('#   name_prefix = "edge-"\n#   value_wo    = var.edge_material\n');
  expect(JSON.stringify(await here.contents())).not.toContain(material.slice(0, 20));
  await succeed("terraform", ["fmt", "-check", "-recursive"], { cwd: here.directory });
  expect((await here.adopt("--to", "hcl")).stderr).toContain("Nothing is new: no file was written.");

  const code = written.split("\n").filter((line) => /^# (import|variable|resource|\}|  )|^#$/.test(line));
  const uncommented = `${code.map((line) => line.slice(2)).join("\n")}\n`;
  await writeFile(path.join(here.directory, "network_acl_keys.tf"), uncommented);
  await writeFile(
    path.join(here.directory, "terraform.tfvars"),
    `edge_material = "${material}"\nedge_2026_material = "${material}"\n`,
  );
  const plan = () =>
    succeed("terraform", ["plan", "-input=false", "-no-color"], { cwd: here.directory, env: here.env });
  expect(await plan()).toContain("Plan: 3 to import, 0 to add, 0 to change, 0 to destroy.");
  const stored = uncommented.replaceAll(/value_wo|ephemeral/g, (word) =>
    word === "ephemeral" ? "sensitive" : "value",
  );
  await writeFile(path.join(here.directory, "network_acl_keys.tf"), stored);
  expect(await plan()).toContain("Plan: 3 to import, 0 to add, 2 to change, 0 to destroy.");
});

test("a rule that names a key does not declare it", async () => {
  await here.open(withKeys);
  await here.adopt("--to", "hcl", "--only", "acls");
  const ended = await here.adopt("--to", "hcl", "--only", "keys");
  expect(ended.stderr).toMatch(/Written to .*network_acl_keys\.t/);
});

test("TypeScript: writes keys as comments that work once their material is given", async () => {
  await here.open(withKeys);
  const ended = await here.adopt("--only", "keys");
  expect(ended).toMatchObject(imported(0));
  const file = path.join(here.directory, "tenant/network-acl-keys.ts");
  const written = await readFile(file, "utf8");
  expect(written).toContain('// new NetworkAclKey(stack, "edge", {\n  //   namePrefix: "edge-",\n');
  const prettier = path.join(root, "node_modules/prettier/bin/prettier.cjs");
  await succeed(process.execPath, [prettier, "--no-config", "--ignore-path", "none", "--check", file], {
    cwd: here.directory,
  });
  expect((await here.adopt("--only", "keys")).stderr).toContain("Nothing is new: no file was written.");

  const remark = 'import { TerraformVariable } from "cdktf" and import { NetworkAclKey } from "tenantform/cdktf"';
  expect(written.replaceAll("\n  //", "")).toContain(`The code needs ${remark}.`);
  const code = written.replace(/^  \/\/ ((const|new [A-Z]|  |\}|\w+\.\w).*)$/gm, "  $1");
  await writeFile(
    file,
    `import { TerraformVariable } from "cdktf";\nimport { NetworkAclKey } from "tenantform/cdktf";\n${code}`,
  );
  here.env.TF_VAR_edge_material = here.env.TF_VAR_edge_2026_material = material;
  expect((await here.adopt("--only", "keys")).stdout).toBe("2 imported, 0 to add, 0 to change, 0 to destroy\n");
});

test.each(["hcl", "typescript"])(
  "%s: keeps an old file of members, and writes the current members to a new file",
  async (language) => {
    await here.open({ seed });
    const some = ["--to", language, "--only", "members", "--organization", crowd];
    await here.adopt(...some);
    const [old, fresh] = language === "hcl" ? ["crowd.json", "crowd-2.json"] : ["crowd.ts", "crowd-2.ts"];
    const before = await here.read(`members/${old}`);
    for (const file of ["members.tf", "imports.tf", "tenant/members.ts"])
      await rm(path.join(here.directory, file), { force: true });
    here.emulator.store.addMembers(crowd, ["auth0|late"]);
    expect(await here.adopt(...some)).toMatchObject(imported(1));
    expect(await here.read(`members/${old}`)).toBe(before);
    expect(await here.read(`members/${fresh}`)).toContain("auth0|late");
  },
);

test("writes an object that the provider refuses as a comment with the reason", async () => {
  const never = acl(7, "Nobody", { action: { block: true }, match: { asns: [64496] } });
  Object.assign(never.rule, { not_match: { asns: [64496] } });
  await here.open({ seed: { network_acls: [never] } });
  const ended = await here.adopt("--to", "hcl");
  expect(ended).toMatchObject(imported(0));
  expect(await here.read("network_acls.tf")).toMatch(
    /^# It can never match: .*(\n#.*)*\n# resource "tenant_network_acl" "nobody" \{\n(#.*\n)+$/m,
  );
});

test.each([
  ["is in the way", (file: string) => writeFile(file, "mine")],
  ["is a symbolic link", (file: string) => symlink(root, file, "junction")],
])("HCL: writes nothing if the provider cannot be installed, because its folder %s", async (reason, obstruct) => {
  await here.open({ seed });
  await mkdir(here.directory);
  await obstruct(path.join(here.directory, "terraform.d"));
  const { code, stderr } = await here.adopt("--to", "hcl");
  expect([code, stderr]).toEqual([2, expect.stringContaining(`terraform.d ${reason}`)]);
  expect(stderr).not.toContain("defect");
  expect(await readdir(here.directory)).toEqual(["terraform.d"]);
});

test("a file in place of the folder: refuses, and leaves it", async () => {
  await here.open({ seed });
  await writeFile(here.directory, "mine");
  const { code, stderr } = await here.adopt("--to", "hcl");
  expect([code, stderr]).toEqual([2, expect.stringContaining("is in the way: it is no folder")]);
  expect(await readFile(here.directory, "utf8")).toBe("mine");
});

test("refuses impossible options in a sentence, and writes nothing", async () => {
  await here.open({ seed });
  const refusals = [
    [["--to", "yaml"], '--to "yaml" is not known: choose typescript or hcl.'],
    [["--only", "acls,users"], '--only "users" is not known: choose from acls, policies, members, keys'],
    [["--organization", "org_x"], 'The tenant has no organization with the id "org_x": check --organization, which'],
  ] as const;
  for (const [args, words] of refusals) {
    const ended = await here.adopt(...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(words);
  }
  expect(await readdir(here.home)).toEqual(["node_modules"]);
});
