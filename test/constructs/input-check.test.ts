/** Checks that the constructs report every typical mistake of a newcomer, drop nothing, and refuse what a tenant has only once. */
import * as cdktf from "cdktf";
import { TerraformCount, TerraformIterator, TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import { Construct } from "constructs";
import * as constructs from "../../src/constructs";
import {
  Action,
  DataTenantNetworkAcls,
  embeddedTenant,
  expectation,
  Match,
  NetworkAcl,
  NetworkAclKey,
  NetworkAclOrder,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
} from "../../src/constructs";
import { writtenOf } from "../../src/constructs/checks";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => (project = openProject()));

const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };

/** Ignores types, as plain JavaScript does. */
type Loose = Readonly<Record<string, unknown>>;
const acl = (config: Loose, id = "acl") =>
  new NetworkAcl(project.stack, id, { description: "d", priority: 10, rule, ...config } as never);
const withRule = (parts: Loose, id?: string) => acl({ rule: { ...rule, ...parts } }, id);
const set = (config: Loose) =>
  new OrganizationMemberSet(project.stack, "set", { organizationId: "org_1", ...config } as never);
const provider = (config: Loose, id = "other") =>
  new TenantProvider(project.stack, id, { alias: id, ...config } as never);
const variable = () => new TerraformVariable(project.stack, "input", {});

test("reports a wrong form once, with the given value and the remedy", () => {
  const attempts: Record<string, () => unknown> = {
    "a rule in a list": () => acl({ rule: [rule] }),
    "an action as text": () => withRule({ action: "block" }),
    "an action that is not called": () => withRule({ action: Action.block }),
    "another word for block": () => withRule({ action: { deny: true } }),
    "a country without a list": () => withRule({ match: { geoCountryCodes: "KP" } }),
    "keys as texts": () => withRule({ match: { httpMessageSignature: { keys: ["key_1"] } } }),
    "names as in HCL": () => withRule({ match: { geo_country_codes: ["KP"] } }),
    "an attribute outside of its object": () => acl({ scope: "tenant" }),
    "nothing in a list": () => set({ members: ["auth0|a", undefined] }),
    "no note": () => set({ membersWithNotes: { "auth0|a": undefined } }),
    "a member with another key": () => set({ members: ["auth0|a", { userID: "auth0|b" }] }),
    "null for a note": () => set({ membersWithNotes: { "auth0|a": null } }),
    "null in lists of the provider": () =>
      provider({
        allowedDomains: [null],
        protectedRequest: [null],
        expectations: [null, { name: "x", outcome: "blocked", request: [null, { countries: ["KP", null] }] }],
      }),
    "null for a key": () => withRule({ match: { httpMessageSignature: { keys: [null] } } }),
    "no members beside one": () =>
      set({ members: [{ userId: "auth0|a", note: "n" }, undefined, null, 5, ["auth0|b"]] }),
    "members without an id": () =>
      set({ members: [{ userId: undefined }, { userId: null, note: "n" }, { userId: 5 }] }),
    "two notes of one member": () =>
      set({
        members: [{ userId: "auth0|a", note: "Ada" }, "auth0|a", { userId: "auth0|a", note: "Grace" }, "auth0|b"],
      }),
    "references in place of blocks": () => {
      const { value } = variable();
      const first = acl({ priority: 11 }, "first");
      acl({ priority: 12, rule: first.rule });
      withRule(
        { action: "${var.input}", match: { httpMessageSignature: value }, notMatch: first.rule.notMatch },
        "parts",
      );
      provider({
        protectedRequest: [value],
        expectations: [
          value,
          { name: "x", request: TerraformIterator.fromList(["KP"]).dynamic({}), outcome: "blocked" },
        ],
      });
    },
    "a promise": () => set({ members: Promise.resolve([]) }),
    "a variable in place of its value": () => acl({ priority: variable() }),
    "a key in place of its id": () => withRule({ match: Match.signedBy(acl({ priority: 11 }, "key") as never) }),
    "material that is no text": () => new NetworkAclKey(project.stack, "k", { name: "edge", value: 5 } as never),
    "a number that is none": () => acl({ priority: NaN }),
    "protected requests as texts": () => provider({ protectedRequest: ["192.0.2.1"] }),
    "a count that is no number": () => acl({ count: "two" }),
    "a misspelt lifecycle": () => acl({ lifecycle: { preventDestory: true } }),
    "a lifecycle of wrong values": () => {
      const other = acl({ priority: 11 }, "other");
      acl({
        lifecycle: {
          createBeforeDestroy: "yes",
          ignoreChanges: ["rule.scope", "created_at", "createdAt", "all"],
          precondition: { condition: other.active, errorMessage: "e" },
          postcondition: [{ condition: true, errorMessage: "e" }, { condition: other.active }],
          preventDestroy: variable().value,
          replaceTriggeredBy: ["tenant_network_acl.other.id", other, other.id, "var.input", "other"],
        },
      });
    },
    "changes to ignore as a text": () => acl({ lifecycle: { ignoreChanges: "description" } }),
    "one dependency": () => acl({ dependsOn: acl({ priority: 11 }, "other") }),
    "dependencies that no file names": () => {
      const { stack } = project;
      acl({
        dependsOn: [
          undefined,
          "tenant_network_acl.a",
          new Construct(stack, "group"),
          set({ members: [] }).fqn,
          provider({}),
        ],
      });
    },
    "a loop over values": () => acl({ forEach: ["KP"] }),
    "a provider by its name": () => acl({ provider: "other" }),
    "a resource as a provider": () => acl({ provider: acl({ priority: 11 }, "other") }),
    "one provisioner": () => acl({ provisioners: { type: "local-exec", command: "true" }, connection: "ssh" }),
    "lists of constructs": () => acl({ description: { toString: [acl({ priority: 11 }, "other")] } }),
    "expectations of another name": () => provider({ expectation: [] }),
    "an expectation without an end": () => provider({ expectations: [expectation("x"), expectation("y").that({})] }),
    "an expectation without a name": () =>
      provider({
        expectations: [
          expectation(undefined as never)
            .that()
            .isBlocked(),
        ],
      }),
    "two expectations of one name": () =>
      provider({ expectations: ["x", "x"].map((one) => expectation(one).that().isBlocked()) }),
    "a near miss in an expectation": () =>
      provider({
        expectations: [
          expectation("x")
            .that()
            .isOneOf("block" as never),
        ],
      }),
    "all actions": () => withRule({ action: Action }),
    "facts in a rule": () => withRule({ match: { countries: ["KP"], ip: "192.0.2.1" } }),
    "signals in an expectation": () =>
      provider({
        expectations: [
          expectation("x")
            .that({ geoCountryCodes: "KP", country: "KP" } as never)
            .isBlocked(),
        ],
      }),
    "no configuration": () => new NetworkAcl(project.stack, "acl", undefined as never),
    "a text as configuration": () => new NetworkAcl(project.stack, "acl", "block" as never),
    "a function as configuration": () => new TenantProvider(project.stack, "other", embeddedTenant as never),
    "a misspelt argument": () => acl({ dependOn: [], lifecyle: {} }),
    "an argument where none is": () => new DataTenantNetworkAcls(project.stack, "data", { description: "d" } as never),
    "values that are no JSON": () => withRule({ scope: 5n, match: { userAgents: [Symbol("x"), new Date(0)] } }),
    "a text for ship": () => provider({ ship: "false" }),
    "a provider of another stack": () =>
      acl({ provider: new TenantProvider(new TerraformStack(project.app, "far"), "tenant") }),
    "a dependency of another stack": () => {
      const far = new TerraformStack(project.app, "far");
      new TenantProvider(far, "tenant");
      acl({ dependsOn: [new NetworkAcl(far, "acl", { description: "d", rule })] });
    },
    "no provider of two": () => {
      const far = new TerraformStack(project.app, "far");
      for (const alias of ["eu", "us"]) new TenantProvider(far, alias, { alias });
      new NetworkAcl(far, "acl", { description: "d", rule });
    },
    "an alias twice": () => void [provider({ alias: "eu" }, "a"), provider({ alias: "eu" }, "b")],
    "aliases that are no names": () => {
      const aliases = ["eu west", "", "1eu", variable().stringValue];
      for (const [index, alias] of aliases.entries()) provider({ alias }, `other-${index}`);
    },
    "two blocks without an alias": () => provider({ alias: undefined }),
    "another priority in an order": () => {
      const order = new NetworkAclOrder(project.stack, "edge", {
        acls: [{ id: "a", description: "d", rule }],
        prioritiesFile: false,
      });
      order.get("a").priority = 99;
    },
  };
  const lines = Object.entries(attempts).map(([what, attempt]) => {
    project = openProject();
    attempt();
    expect(() => project.app.synth()).toThrow("Validation failed");
    return `${what}: ${project.complaints().join(" | ")}`;
  });
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "a rule in a list: stack/acl: \`rule\` is [{"action":{"block":true},"match":{"asns":[64496]},"scope":"authentication"}]: give an object.
    an action as text: stack/acl: \`rule.action\` is "block": give an object.
    an action that is not called: stack/acl: \`rule.action\` is a function: call it, to give an object.
    another word for block: stack/acl: \`rule.action.deny\` is unknown. Known are block, allow, log, redirect, redirectUri.
    a country without a list: stack/acl: \`rule.match.geoCountryCodes\` is "KP": give a list.
    keys as texts: stack/acl: \`rule.match.httpMessageSignature.keys[0]\` is "key_1": give an object.
    names as in HCL: stack/acl: \`rule.match.geo_country_codes\` is unknown. Known are ipv4Cidrs, ipv6Cidrs, connectingIpv4Cidrs, connectingIpv6Cidrs, geoCountryCodes, geoSubdivisionCodes, asns, userAgents, hostnames, ja3Fingerprints, ja4Fingerprints, auth0Managed, httpMessageSignature; \`rule.match.geoCountryCodes\` is probably meant.
    an attribute outside of its object: stack/acl: \`scope\` is unknown. Known are description, active, priority, rule; \`rule.scope\` is probably meant.
    nothing in a list: stack/set: \`members[1]\` is undefined: give the id of a user.
    no note: stack/set: \`membersWithNotes["auth0|a"]\` is undefined and would be dropped: give a value, or remove it.
    a member with another key: stack/set: \`members[1].userId\` is missing: give the id of the user. | stack/set: \`members[1].userID\` is unknown. Known are userId, note.
    null for a note: stack/set: \`membersWithNotes["auth0|a"]\` is null and would be dropped: give a value, or remove it.
    null in lists of the provider: stack/other: \`allowedDomains[0]\` is null: give a string. | stack/other: \`protectedRequest[0]\` is null: give an object. | stack/other: \`expectations[0]\` is null: give an object. | stack/other: \`expectations[1].request[0]\` is null: give an object. | stack/other: \`expectations[1].request[1].countries[1]\` is null: give a string.
    null for a key: stack/acl: \`rule.match.httpMessageSignature.keys[0]\` is null: give an object.
    no members beside one: stack/set: \`members[1]\` is undefined: give the id of a user. | stack/set: \`members[2]\` is null: give the id of a user. | stack/set: \`members[3]\` is 5: give the id of a user. | stack/set: \`members[4]\` is ["auth0|b"]: give the id of a user.
    members without an id: stack/set: \`members[0].userId\` is missing: give the id of the user. | stack/set: \`members[1].userId\` is null: give the id of the user. | stack/set: \`members[2].userId\` is 5: give the id of the user.
    two notes of one member: stack/set: \`members\` has "auth0|a" with the notes "Ada" and "Grace": give one of them.
    references in place of blocks: stack/acl: \`rule\` is "\${tenant_network_acl.first.rule}": give an object, because Terraform takes no reference for a block. | stack/parts: \`rule.action\` is "\${var.input}": give an object, because Terraform takes no reference for a block. | stack/parts: \`rule.match.httpMessageSignature\` is "\${var.input}": give an object, because Terraform takes no reference for a block. | stack/parts: \`rule.notMatch\` is "\${tenant_network_acl.first.rule.not_match}": give an object, because Terraform takes no reference for a block. | stack/other: \`expectations[0]\` is "\${var.input}": give an object, because Terraform takes no reference for a block. | stack/other: \`expectations.request\` is "\${[ for key, val in toset([\\"KP\\"]): {}]}": give a list, because Terraform takes no reference for a block. | stack/other: \`protectedRequest[0]\` is "\${var.input}": give an object, because Terraform takes no reference for a block.
    a promise: stack/set: \`members\` is a Promise: give a list.
    a variable in place of its value: stack/acl: \`priority\` is the construct stack/input: give one of its attributes, such as its \`id\`.
    a key in place of its id: stack/acl: \`rule.match.httpMessageSignature.keys[0].id\` is the construct stack/key: give one of its attributes, such as its \`id\`.
    material that is no text: stack/k: \`value\` is (sensitive): give a string.
    a number that is none: stack/acl: \`priority\` is NaN: use a whole number from 1 to 100.
    protected requests as texts: stack/other: \`protectedRequest[0]\` is "192.0.2.1": give an object.
    a count that is no number: stack/acl: \`count\` is "two": give a whole number from 0, or a TerraformCount.
    a misspelt lifecycle: stack/acl: \`lifecycle.preventDestory\` is unknown. Known are createBeforeDestroy, ignoreChanges, postcondition, precondition, preventDestroy, replaceTriggeredBy; \`lifecycle.preventDestroy\` is probably meant.
    a lifecycle of wrong values: stack/acl: \`lifecycle.createBeforeDestroy\` is "yes": give true or false. | stack/acl: \`lifecycle.ignoreChanges[2]\` is "createdAt": give an attribute of the construct, in Terraform's names. | stack/acl: \`lifecycle.ignoreChanges[3]\` is "all": give an attribute of the construct, in Terraform's names. | stack/acl: \`lifecycle.precondition\` is {"condition":"<unresolved-token>","errorMessage":"e"}: give a list. | stack/acl: \`lifecycle.postcondition[0]\` is {"condition":true,"errorMessage":"e"}: give an object with a \`condition\` that is a reference, and an \`errorMessage\`. | stack/acl: \`lifecycle.postcondition[1]\` is {"condition":"<unresolved-token>"}: give an object with a \`condition\` that is a reference, and an \`errorMessage\`. | stack/acl: \`lifecycle.preventDestroy\` is a token: give true or false. | stack/acl: \`lifecycle.replaceTriggeredBy[1]\` is the construct stack/other: give the address of a resource as a text, such as \`tenant_network_acl.office\`. | stack/acl: \`lifecycle.replaceTriggeredBy[2]\` is a token: give the address of a resource as a text, such as \`tenant_network_acl.office\`. | stack/acl: \`lifecycle.replaceTriggeredBy[3]\` is "var.input": give the address of a resource as a text, such as \`tenant_network_acl.office\`. | stack/acl: \`lifecycle.replaceTriggeredBy[4]\` is "other": give the address of a resource as a text, such as \`tenant_network_acl.office\`.
    changes to ignore as a text: stack/acl: \`lifecycle.ignoreChanges\` is "description": give a list, or "all".
    one dependency: stack/acl: \`dependsOn\` is the construct stack/other: give a list.
    dependencies that no file names: stack/acl: \`dependsOn[0]\` is undefined: give a resource, a data source or a module. | stack/acl: \`dependsOn[1]\` is "tenant_network_acl.a": give a resource, a data source or a module. | stack/acl: \`dependsOn[2]\` is the construct stack/group: give a resource, a data source or a module. | stack/acl: \`dependsOn[3]\` is a token: give a resource, a data source or a module. | stack/acl: \`dependsOn[4]\` is the construct stack/other: give a resource, a data source or a module.
    a loop over values: stack/acl: \`forEach\` is ["KP"]: give a TerraformIterator.
    a provider by its name: stack/acl: \`provider\` is "other": give a TenantProvider.
    a resource as a provider: stack/acl: \`provider\` is the construct stack/other: give a TenantProvider.
    one provisioner: stack/acl: \`provisioners\` is {"type":"local-exec","command":"true"}: give a list. | stack/acl: \`connection\` is "ssh": give an object.
    lists of constructs: stack/acl: \`description\` is an object that refers to itself: give a string.
    expectations of another name: stack/other: \`expectation\` is unknown. Known are domain, endpoint, allowedDomains, environmentPrefix, accessToken, clientId, clientSecret, clientAssertionPrivateKey, clientAssertionPrivateKeyFile, clientAssertionSigningAlg, certificateAuthority, certificateAuthorityFile, audience, maxRetryWait, maxRequestsPerSecond, maxConcurrency, protectedRequest, expectations, lockoutGuard, hideEarlyAccessWarning, planWarnings; \`expectations\` is probably meant.
    an expectation without an end: stack/other: \`expectations[0]\` has only the functions that, limits, hasMembers: call one of them, and give what it returns. | stack/other: \`expectations[1]\` has only the functions except, isBlocked, isReached, isRedirected, isLogged, isOneOf: call one of them, and give what it returns.
    an expectation without a name: stack/other: \`expectations[0].name\` is missing: give a string.
    two expectations of one name: stack/other: \`expectations[1].name\` is "x", the name of an earlier expectation: give it another name.
    a near miss in an expectation: stack/other: expectations[0] ("x"): oneOf is "block": "blocked" is probably meant.
    all actions: stack/acl: \`rule.action\` has only the functions allow, block, log, redirect: call one of them, and give what it returns.
    facts in a rule: stack/acl: \`rule.match.countries\` is unknown. Known are ipv4Cidrs, ipv6Cidrs, connectingIpv4Cidrs, connectingIpv6Cidrs, geoCountryCodes, geoSubdivisionCodes, asns, userAgents, hostnames, ja3Fingerprints, ja4Fingerprints, auth0Managed, httpMessageSignature; \`rule.match.geoCountryCodes\` is probably meant. | stack/acl: \`rule.match.ip\` is unknown. Known are ipv4Cidrs, ipv6Cidrs, connectingIpv4Cidrs, connectingIpv6Cidrs, geoCountryCodes, geoSubdivisionCodes, asns, userAgents, hostnames, ja3Fingerprints, ja4Fingerprints, auth0Managed, httpMessageSignature; \`rule.match.ipv4Cidrs\` is probably meant.
    signals in an expectation: stack/other: \`expectations[0].request[0].geoCountryCodes\` is unknown. Known are scopes, ipCidrs, connectingIpCidrs, countries, subdivisions, asns, userAgents, hostnames, ja3, ja4, managed, signatureKeys; \`expectations[0].request[0].countries\` is probably meant. | stack/other: \`expectations[0].request[0].country\` is unknown. Known are scopes, ipCidrs, connectingIpCidrs, countries, subdivisions, asns, userAgents, hostnames, ja3, ja4, managed, signatureKeys; \`expectations[0].request[0].countries\` is probably meant.
    no configuration: stack/acl: \`description\` is missing: give a string. | stack/acl: \`rule\` is missing: give an object.
    a text as configuration: stack/acl: \`description\` is missing: give a string. | stack/acl: \`rule\` is missing: give an object. | stack/acl: The configuration is "block": give an object.
    a function as configuration: stack/other: The configuration is a function: give an object. | stack/other: \`alias\` is missing, also in stack/tenant: give each provider its own alias, and set \`provider\` on each resource.
    a misspelt argument: stack/acl: \`dependOn\` is unknown. Known are description, active, priority, rule; \`dependsOn\` is probably meant. | stack/acl: \`lifecyle\` is unknown. Known are description, active, priority, rule; \`lifecycle\` is probably meant.
    an argument where none is: stack/data: \`description\` is unknown. Known are none.
    values that are no JSON: stack/acl: \`rule.match.userAgents[0]\` is Symbol(x): give a string. | stack/acl: \`rule.match.userAgents[1]\` is a Date: give a string. | stack/acl: \`rule.scope\` is 5: give a string.
    a text for ship: stack/other: \`ship\` is "false": give true or false.
    a provider of another stack: stack/acl: \`provider\` is far/tenant of another stack: give a TenantProvider of this stack.
    a dependency of another stack: stack/acl: \`dependsOn[0]\` is far/acl of another stack: call \`addDependency\` of the stack.
    no provider of two: far/acl: \`provider\` is missing, and each provider of the stack has an alias: give one of far/eu, far/us.
    an alias twice: stack/b: \`alias\` is "eu", also in stack/a: give each provider its own alias, and set \`provider\` on each resource.
    aliases that are no names: stack/other-0: \`alias\` is "eu west": give a name of letters, digits, - and _ that begins with a letter. | stack/other-1: \`alias\` is "": give a name of letters, digits, - and _ that begins with a letter. | stack/other-2: \`alias\` is "1eu": give a name of letters, digits, - and _ that begins with a letter. | stack/other-3: \`alias\` is "\${var.input}": give a name of letters, digits, - and _ that begins with a letter.
    two blocks without an alias: stack/other: \`alias\` is missing, also in stack/tenant: give each provider its own alias, and set \`provider\` on each resource.
    another priority in an order: stack/edge: \`priority\` of a is 99, but the order assigns 10: do not set it."
  `);
});

test("throws in the constructor", () => {
  const stack = () => project.stack;
  const order = (config: unknown) => new NetworkAclOrder(stack(), "order", config as never);
  const attempts: Record<string, () => unknown> = {
    "signals in a list": () => Match.both([Match.countries("KP")] as never),
    "countries in a list": () => Match.countries(["KP", "IR"] as never),
    "no signals": () => Match.both(Match.networks(1), undefined as never),
    "an order of nothing": () => order(undefined),
    "lists without an id": () => order({ acls: [{ rule }] }),
    "a priority in an order": () => order({ acls: [{ id: "a", description: "", rule, priority: 3 }] }),
    "an order from another number": () => order({ acls: [], first: 0, last: "200" }),
    "a range without numbers": () => order({ acls: [], first: 50, last: 40 }),
    "too small a range": () => order({ acls: [{ id: "a" }, { id: "b" }], first: 7, last: 7 }),
    "an order with another argument": () => order({ acls: [], dependsOn: [], frist: 1 }),
    "no name of a file": () => order({ acls: [], prioritiesFile: true }),
    "two ACLs of one name": () => order({ acls: [{ id: "a" }, { id: "a" }] }),
    "a list that Terraform knows": () => Match.countries(variable().listValue as never),
    "addresses that Terraform knows": () => Match.addresses(...variable().listValue),
    "the letters of a list that Terraform knows": () =>
      Match.countries(...(cdktf.Fn.concat([["KP"], ["IR"]]) as unknown as string[])),
    "an address that Terraform knows": () => Match.addresses("192.0.2.1", variable().stringValue),
    "a look-up of nothing": () => new DataTenantNetworkAcls(stack(), "data").find(undefined as never),
    "a country as requests": () => expectation("x").that("KP" as never),
  };
  const lines = Object.entries(attempts).map(([what, attempt]) => {
    project = openProject();
    let words = "nothing";
    try {
      attempt();
    } catch (error) {
      words = (error as Error).message;
    }
    return `${what}: ${words}`;
  });
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "signals in a list: Match.both takes signals as separate arguments, Match.both(Match.countries("DE"), Match.networks(64496)): argument 1 is a list; write ... before it.
    countries in a list: Match.countries takes separate arguments: write ... before the list, Match.countries(...list).
    no signals: Match.both takes signals as separate arguments, Match.both(Match.countries("DE"), Match.networks(64496)): argument 2 is undefined.
    an order of nothing: [stack/order] \`acls\` is no list: list the ACLs in order, each with an \`id\`.
    lists without an id: [stack/order] \`acls[0]\` has no \`id\`: give an object with id, description and rule.
    a priority in an order: [stack/order] \`acls[0].priority\` is 3: leave it out. The order assigns it.
    an order from another number: [stack/order] \`first\` is 0: give a whole number from 1 to 100.
    a range without numbers: [stack/order] \`first\` is 50 and \`last\` is 40: give a \`first\` that is not above \`last\`.
    too small a range: [stack/order] 2 network ACLs do not fit between \`first\` (7) and \`last\` (7): give the order a wider range.
    an order with another argument: [stack/order] \`dependsOn\` is unknown. Known are acls, first, last, provider, prioritiesFile.
    no name of a file: [stack/order] \`prioritiesFile\` is true: give the name of a file, or false.
    two ACLs of one name: [stack/order] Two ACLs have the \`id\` "a": give one of them another id.
    a list that Terraform knows: Match.countries takes separate arguments: write ... before the list, Match.countries(...list).
    addresses that Terraform knows: An address is not known yet, so it may be IPv4 or IPv6. Give it as ipv4Cidrs or ipv6Cidrs (for a proxy: connectingIpv4Cidrs or connectingIpv6Cidrs), and join it with the other addresses by Match.both.
    the letters of a list that Terraform knows: Match.countries got the letters of the text "\${TfToken[TOKEN.17]}": give a list that only Terraform knows to the attribute itself, such as { geoCountryCodes: list }.
    an address that Terraform knows: An address is not known yet, so it may be IPv4 or IPv6. Give it as ipv4Cidrs or ipv6Cidrs (for a proxy: connectingIpv4Cidrs or connectingIpv6Cidrs), and join it with the other addresses by Match.both.
    a look-up of nothing: [stack/data] \`find\` got undefined: give the \`description\` as a text.
    a country as requests: "KP" is not an object: give one such as { countries: "KP" } or { include: "auth0|ada" }."
  `);
});

test("accepts a reference, also as text, in place of an object that is no block", () => {
  const { value } = variable();
  acl({ rule: { ...rule, match: { httpMessageSignature: { keys: ["${var.input}", value] } } } });
  expect(project.complaints()).toEqual([]);
  project.app.synth();
  expect(JSON.parse(project.read("cdk.tf.json")).resource.tenant_network_acl).toMatchObject({
    acl: { rule: { match: { http_message_signature: { keys: ["${var.input}", "${var.input}"] } } } },
  });
});

test("reads a list that is filled after the construct was created", () => {
  const members: string[] = [];
  const staff = set({ members });
  members.push("auth0|a");
  new TerraformOutput(project.stack, "id", { value: staff.id });
  expect(staff.toTerraform().resource.tenant_organization_member_set.set.members).toEqual(["auth0|a"]);
});

test("keeps the note of a member that stands twice", () => {
  const members = ["auth0|a", { userId: "auth0|a", note: "Ada" }, "auth0|a"];
  expect(set({ members }).membersWithNotesInput).toEqual({ "auth0|a": "Ada" });
  expect(project.complaints()).toEqual([]);
});

const noted = (a: string, b: string) => ({ members_with_notes: { "auth0|a": a, "auth0|b": b } });

test.each<[string, Loose, readonly unknown[], Loose]>([
  ["to a list, once", { members: ["auth0|a"] }, ["auth0|b", "auth0|a"], { members: ["auth0|a", "auth0|b"] }],
  ["to nothing", {}, ["auth0|a"], { members: ["auth0|a"] }],
  ["with a note", { members: ["auth0|a"] }, [{ userId: "auth0|b", note: "B" }, "auth0|b"], noted("", "B")],
  ["twice after a note", {}, [{ userId: "auth0|a", note: "" }, "auth0|b", "auth0|b", "auth0|a"], noted("", "")],
  ["to notes", { membersWithNotes: { "auth0|a": "A" } }, ["auth0|b", { userId: "auth0|a" }], noted("A", "")],
])("adds a member %s", (_, config, added, expected) => {
  const staff = set(config);
  for (const one of added) staff.addMember(one as never);
  expect(project.complaints()).toEqual([]);
  const { organization_id: _id, "//": _comment, ...written } = writtenOf(staff)!;
  expect(written).toEqual(expected);
});

test.each<[string, () => Loose, unknown, string]>([
  ["of another type", () => ({ members: ["auth0|a"] }), 5, "[stack/set] `members[1]` is 5: give the id of a user."],
  [
    "with another note",
    () => ({ membersWithNotes: { "auth0|a": "A" } }),
    { userId: "auth0|a", note: "B" },
    '[stack/set] `members` has "auth0|a" with the notes "A" and "B": give one of them.',
  ],
  ["to a reference", () => ({ members: variable().listValue }), "auth0|a", "[stack/set] The members are a reference"],
])("refuses to add a member %s", (_, config, added, problem) => {
  const staff = set(config());
  expect(() => staff.addMember(added as never)).toThrow(problem);
});

test("adds thousands of members with notes", () => {
  const staff = set({});
  for (let index = 0; index < 20_000; index++) staff.addMember({ userId: `auth0|${index}`, note: "N" });
  expect(() => staff.addMember({ userId: "auth0|7", note: "B" })).toThrow("give one of them");
  expect(Object.keys(staff.membersWithNotesInput!)).toHaveLength(20_000);
});

test("takes an alias that an override gives", () => {
  new TenantProvider(project.stack, "eu").addOverride("alias", "eu");
  expect(project.complaints()).toEqual([]);
});

test("words remedies for TypeScript, not for HCL", () => {
  withRule({ match: undefined });
  set({});
  expect(project.complaints().join("\n")).toMatch(/`matchAll: true`.*\n.*`members: \[\]`/);
});

type Extra = Partial<ConstructorParameters<typeof NetworkAcl>[2]>;

const aclIn = (scope: Construct, id: string, extra: Extra = {}) =>
  new NetworkAcl(scope, id, { description: id, rule, ...extra });

const providerIn = (scope: Construct, id: string, domain?: string) =>
  new TenantProvider(scope, id, { alias: id, ...(domain && { domain }) });

test("refuses ACLs with the same priority from two copies of this package", () => {
  const { stack } = project;
  jest.resetModules();
  jest.doMock("cdktf", () => cdktf);
  const other = jest.requireActual<typeof constructs>("../../src/constructs");
  expect(other.NetworkAcl).not.toBe(NetworkAcl);
  aclIn(stack, "a", { priority: 10 });
  new other.NetworkAcl(stack, "b", { description: "b", priority: 10, rule });
  expect(project.complaints()).toEqual([
    expect.stringMatching(/^stack: `priority` is 10 for stack\/a and for stack\/b, /),
  ]);
});

const rows: Record<string, readonly [make: (stack: TerraformStack) => void, ...complaints: RegExp[]]> = {
  "the same priority, including the default, anywhere in the tree": [
    (stack) => {
      const group = new Construct(stack, "group");
      for (const [id, scope, priority] of [
        ["a", stack, 10],
        ["b", stack, 11],
        ["c", group, 10],
        ["d", group, undefined],
        ["e", stack, 50],
        ["f", stack, 10],
      ] as const)
        aclIn(scope, id, priority === undefined ? {} : { priority });
    },
    /^stack: `priority` is 10 for stack\/group\/c, for stack\/a and for stack\/f, .* \[TNF-ACL-SAME-PRIORITY\]$/,
    /^stack: `priority` is 50 for stack\/group\/d and for stack\/e, /,
  ],
  "the same id to import, if it is known": [
    (stack) => {
      const known = new TerraformVariable(stack, "known", { type: "string" }).stringValue;
      const [one, other] = ["acl_4uZ2xYq8mJ2rTqZsWv5nYx", "acl_8eXtA6txdN6i8fLs6z5YUK"];
      for (const [index, id] of [one, one, other, known, known].entries())
        aclIn(stack, `a${index}`, { priority: index + 1 }).importFrom(id!);
    },
    /^stack: stack\/a0 and stack\/a1 manage the same network ACL acl_4u\w+\. Each apply .* \[TNF-DUPLICATE\]$/,
  ],
  "two policies for the same applications": [
    (stack) => {
      for (const limit of [10, 50]) {
        const configuration = { action: "block", limit } as const;
        new RateLimitPolicy(stack, `p${limit}`, { consumerSelector: "default", configuration });
      }
    },
    /^stack: `consumerSelector` is "default" for stack\/p10 and for stack\/p50, .* \[TNF-POLICY-SAME-CALLERS\]$/,
  ],
  "two member sets of one organization": [
    (stack) => {
      for (const id of ["a", "b"])
        new OrganizationMemberSet(stack, id, { organizationId: "org_AbCdEfGhIjKlMnOp", members: [`auth0|${id}`] });
    },
    /^stack: stack\/a and stack\/b manage the same organization org_\w+\. .* set `exclusive: false` in all .* \[TNF-DUPLICATE\]$/,
  ],
  "values after setters, overrides and removals": [
    (stack) => {
      aclIn(stack, "a", { priority: 1 });
      aclIn(stack, "b", { priority: 2 }).priority = 1;
      aclIn(stack, "c", { priority: 3 }).addOverride("priority", 1);
      aclIn(stack, "d", { priority: 1 }).addOverride("priority", 4);
      aclIn(stack, "e", { priority: 1 });
      stack.node.tryRemoveChild("e");
    },
    /`priority` is 1 for stack\/a, for stack\/b and for stack\/c, /,
  ],
  "two aliases that name the same tenant": [
    (stack) => {
      for (const [id, domain] of [
        ["a", "acme.example"],
        ["b", "ACME.example"],
        ["c", "other.example"],
      ] as const)
        aclIn(stack, id, { provider: providerIn(stack, `of-${id}`, domain) });
    },
    /^stack: `priority` is 50 for stack\/a and for stack\/b, /,
  ],
  "no unknown values, other tenants and other stacks": [
    (stack) => {
      const { numberValue } = new TerraformVariable(stack, "number", {});
      aclIn(stack, "unknown", { priority: numberValue });
      aclIn(stack, "unknown-too", { priority: numberValue });
      aclIn(stack, "here");
      aclIn(stack, "on-some-days", { count: TerraformCount.of(numberValue) });
      aclIn(stack, "on-others", { count: 0 });
      aclIn(stack, "for-each", { forEach: TerraformIterator.fromList(["a"]) });
      aclIn(stack, "elsewhere", { provider: providerIn(stack, "second") });
      const other = new TerraformStack(project.app, "other");
      new TenantProvider(other, "tenant");
      aclIn(other, "there");
    },
  ],
};

test.each(Object.entries(rows))("refuses %s", (_what, [make, ...complaints]) => {
  make(project.stack);
  expect(project.complaints()).toEqual(complaints.map((one) => expect.stringMatching(one) as string));
});
