/** `tenantform adopt` with hostile tenants and states: real Terraform, the built command. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { isPrintable } from "../../../src/formats/text/printable";
import { draftOf } from "../../../src/commands/adopt/to-declaration";
import { readGoProviderState } from "../../../src/commands/adopt/go-provider";
import { kinds } from "../../../src/judge/kinds/kinds";
import { tenantProvider } from "../../../src/provider/resources/provider";
import { succeed } from "../../support/program";
import { adoption, imported, stateOf } from "./support/adoption";

const here = adoption();
/** A server that would receive a stolen secret, and the requests that it received. */
let attacker: Server;
let stolen: string[];
beforeEach(async () => {
  stolen = [];
  attacker = createServer((request, response) => {
    stolen.push(request.url!);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(attacker, "listening");
});
afterEach(() => void attacker.close());

const url = () => `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
const mark = () => path.join(here.home, "obeyed");
/** A program that creates a file if it runs. */
const program = () => `require("node:fs").writeFileSync(${JSON.stringify(mark())},"")`;

const provider = tenantProvider("0.0.0", {});

async function endOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "taken";
  } catch (error) {
    return (error as Error).name;
  }
}

const contents = async () => [...(await here.contents()).values()].join("\n");

interface Given {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly module?: unknown;
  readonly key?: unknown;
  readonly attributes?: unknown;
}

const officer = { id: "org_1", organization_id: "org_1", members: ["auth0|ada"] };

const stateWith = (...given: readonly Given[]) =>
  stateOf(
    ...given.map(({ type = "auth0_organization_members", name = "staff", module, key, attributes = officer }) => ({
      type,
      name,
      module,
      instances: [[attributes, key] as const],
    })),
  );

/** Texts that would end a string or comment in either language, and continue with code. */
const breakouts = () => [
  `"\n}\nprovider "tenant" {\n  endpoint = "${url()}"\n}\nlocals {\n  x = "`,
  `x" {}\nprovider "tenant" {\n  endpoint = "${url()}"\n}\nresource "tenant_network_acl" "y`,
  `\${${program()}}`,
  `\`+${program()}+\``,
  `");${program()};("`,
  `');${program()};('`,
  `\n*/${program()}/*`,
  `\r${program()}//`,
  `\r$\${-9e999 ${program()}//`,
  `\u2028${program()}//`,
  `"]}\nprovider "tenant" { endpoint = "${url()}" }\n#`,
  '${file("/etc/passwd")}',
  "%{ for x in [1] }x%{ endfor }",
  "<<EOT\nEOT\n",
];

describe("a state", () => {
  const adopting = async (state: string, language = "hcl") => {
    const file = path.join(here.home, "hostile.tfstate");
    await writeFile(file, state);
    return here.adopt("--from-state", file, "--to", language);
  };

  test("runs nothing and calls no other server, with any text in an id, a name, a module, a key or a type", async () => {
    await here.open({ seed: { organizations: [{ id: "org_1", name: "staff", members: ["auth0|ada"] }] } });
    const hostile = breakouts().flatMap((text): Given[] => [
      { attributes: { ...officer, organization_id: text } },
      { type: "auth0_organization_member", attributes: { organization_id: text, user_id: "auth0|ada" } },
      { name: text },
      { module: text },
      { module: `module.a["${text}"]` },
      { module: `module.${text}` },
      { type: `auth0_network_acl${text}` },
    ]);
    const refusals = new Set<string>();
    for (const one of hostile) {
      const file = path.join(here.home, "hostile.tfstate");
      await writeFile(file, stateWith(one));
      await expect(readGoProviderState(file, provider, { kinds, organizations: [] })).rejects.toThrow(
        /has the id "|\.name is "|\.module is "|adopt takes over: auth0_network_acl/,
      );
    }
    // The whole command runs once for each place.
    for (const one of hostile.slice(0, 7)) {
      const { code, stdout, stderr } = await adopting(stateWith(one));
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      refusals.add(stderr);
    }
    expect(refusals.size).toBeGreaterThan(4);
    expect(existsSync(here.directory)).toBe(false);
    expect(existsSync(mark())).toBe(false);
    expect(stolen).toEqual([]);
  });

  test.each(["hcl", "typescript"])("keeps keys and members unchanged in %s", async (language) => {
    const printable = breakouts().filter(isPrintable);
    const names = [...printable, "${TfToken[TOKEN.0]}", "constructor", "__proto__", "a b", "é", "con"];
    const organizations = names.map((_text, index) => ({ id: `org_${index}`, name: `o${index}`, members: names }));
    await here.open({ seed: { organizations } });
    const given = names.map((key, index) => ({
      key,
      // As Terraform writes it: with an escaped template, and quotation marks in a key.
      ...(index % 2 > 0 && { module: 'module.people["a $${b} \\" c"].module.x[0]' }),
      attributes: { id: `org_${index}`, organization_id: `org_${index}`, members: names },
    }));
    const ended = await adopting(stateWith(...given), language);
    expect(ended).toMatchObject(imported(names.length));
    if (language === "hcl") {
      const moves = await readFile(path.join(here.directory, "moves.tf"), "utf8");
      expect(moves.match(/^moved \{$/gm)).toHaveLength(names.length);
      await succeed("terraform", ["fmt", "-check"], { cwd: here.directory });
    } else {
      const stack = await readFile(path.join(here.directory, "cdktf.out/stacks/tenant/cdk.tf.json"), "utf8");
      expect((JSON.parse(stack) as { moved: unknown[] }).moved).toHaveLength(names.length);
    }
    expect((await contents()).match(/^provider "tenant"|^new TenantProvider\(/gm)).toHaveLength(1);
    expect(existsSync(mark())).toBe(false);
    expect(stolen).toEqual([]);
  });

  test("accepts or refuses a value of any type in a sentence", async () => {
    await here.open({ seed: { organizations: [] } });
    const odd: unknown = JSON.parse('{ "__proto__": { "toString": 1 }, "constructor": 1 }');
    const strange: unknown[] = [null, true, 7, "text", [], [1], {}, { toString: 1 }, odd, [odd], [[null]]];
    const types = [
      "auth0_network_acl",
      "auth0_rate_limit_policy",
      "auth0_organization_members",
      "auth0_organization_member",
      "auth0_network_acl_key",
    ];
    const places = ["id", "organization_id", "members", "user_id", "name", "description", "rule", "configuration"];
    const id = "acl_1";
    const sound = { id, organization_id: id, user_id: "auth0|ada", name: "key", alg: "hmac-sha256", members: ["a"] };
    const file = path.join(here.home, "strange.tfstate");
    const ends = new Set<string>();
    for (const type of types) {
      for (const value of strange) {
        const attributes = places.map((place) => ({ attributes: { ...sound, [place]: value } }));
        for (const given of [...attributes, { name: value }, { module: value ?? 0 }, { attributes: value }]) {
          await writeFile(file, stateWith({ type, ...given }));
          ends.add(
            await endOf(async () =>
              (await readGoProviderState(file, provider, { kinds, organizations: [] })).map(draftOf),
            ),
          );
        }
      }
    }
    // Every value is accepted, or refused in a sentence.
    expect([...ends].toSorted()).toEqual(["UserError", "taken"]);
    const acl = { id: "acl_1", description: { "x = 1 }\nprovider": 1 }, priority: "1", rule: [{ action: "x" }] };
    const ended = await adopting(stateWith({ type: "auth0_network_acl", name: "odd", attributes: acl }));
    expect(ended).toMatchObject(imported(0));
    expect(ended.stderr).toContain("`description` is");
  });
});

const seen = (text: string) => (isPrintable(text) ? text : "");

test.each(["hcl", "typescript"])("%s: writes hostile texts of a tenant unchanged", async (to) => {
  const reserved = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "tenant", "con", "nul", "_"];
  const tokens = ["${TfToken[TOKEN.0]}", "#{TfToken[TOKEN.0]}", "String Map Token Value", "-8.109562212591379e+298"];
  const half = "half \ud800 of a pair";
  const texts = [...breakouts(), ...reserved, ...tokens, half, "::error::x", "\u001b[2J\u009b1m\u202e"];
  const network_acls = texts.map((description, index) => ({
    description: description.slice(0, 255),
    active: false,
    priority: index + 1,
    // The provider refuses an entry with an invisible character.
    rule: { action: { block: true }, scope: "tenant", match: { user_agents: [`agent ${index} ${seen(description)}`] } },
  }));
  const organizations = reserved.map((name, index) => ({
    id: `org_${index}`,
    name,
    members: ["auth0|ada", "auth0|${TfToken[TOKEN.0]}", 'auth0|"\\`${x}%{y}'],
  }));
  const rate_limit_policies = [
    { consumer_selector: "client_id:constructor", configuration: { action: "allow" } },
    { consumer_selector: "client_id:${TfToken[TOKEN.0]}", configuration: { action: "allow" } },
  ];
  await here.open({ seed: { network_acls, organizations, rate_limit_policies } });
  const ended = await here.adopt("--to", to);
  const steering = network_acls.filter(({ description }) => description.includes("\u001b"));
  expect(steering).toHaveLength(1);
  const count = network_acls.length - steering.length + organizations.length + rate_limit_policies.length;
  expect(ended.stderr).not.toContain("Differs from the tenant");
  expect(ended).toMatchObject(imported(count));
  expect(isPrintable(ended.stderr.replaceAll("\n", ""))).toBe(true);
  const written = await contents();
  expect(written).toContain("half of a surrogate pair");
  expect(written.match(/^provider "tenant"|^new TenantProvider\(/gm)).toHaveLength(1);
  expect(existsSync(mark())).toBe(false);
  expect(stolen).toEqual([]);
});
