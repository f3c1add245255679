/** Rate limit policies: how they are read, named, kept secret, and noted when they are adopted. */
import { limitChanges } from "../../src/impact/rate-limit-policy/changes";
import { judged, limitFindings } from "../../src/impact/rate-limit-policy/findings";
import { policyNotes } from "../../src/impact/rate-limit-policy/notes";
import { keyOf, policyFrom } from "../../src/impact/rate-limit-policy/policy";
import { adoptionNotes } from "../../src/impact/notes";
import type { PlannedObject, Values } from "../../src/impact/model";
import { policy } from "./support/limits";

const unknown = Symbol("not known yet");
const object = (name: string, before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `policy.${name}`,
  type: "tenant_rate_limit_policy",
  actions: ["update"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
const block = (limit: unknown) => ({ action: "block", limit });
const redirect = (redirect_uri: unknown, limit = 5) => ({ action: "redirect", limit, redirect_uri });

describe("a policy", () => {
  const read = (values: Values, more = {}) => policyFrom({ address: "policy.x", ...more }, values);

  test("without a resource and a consumer limits clients of the Authentication API", () => {
    expect(read({ configuration: block(1) })).toStrictEqual({
      address: "policy.x",
      unplaced: false,
      isAnyone: false,
      resource: "oauth_authentication_api",
      consumer: "client",
      by: "(known after apply: policy.x)",
      secret: new Set(),
      action: "block",
      limit: 1,
      meaning: '{"action":"block","limit":1}',
    });
  });

  test("keeps its plan, and whether it may belong to another tenant", () => {
    expect(read({}, { plan: "edge", unplaced: true })).toMatchObject({ plan: "edge", unplaced: true });
  });

  test.each(["resource", "consumer", "consumer_selector"])("limits anyone if its %s is not known", (name) => {
    const found = read({ ...policy("default", block(1)), [name]: unknown });
    expect(found.isAnyone).toBe(true);
    expect(found[name === "consumer_selector" ? "by" : (name as "resource")]).toMatch(/^\(known after apply/);
  });

  test.each<[string, unknown, object]>([
    ["one block in a list", [block(5)], { action: "block", limit: 5 }],
    ["a number as text", block("50"), { action: "block", limit: 50 }],
    ["an empty text", block(""), { action: "block", limit: null }],
    ["a text without a number", block("many"), { action: "block", limit: null }],
    ["a redirect", redirect("https://a.example"), redirect("https://a.example")],
    ["an unknown redirect", redirect(unknown), redirect("(known after apply)")],
    ["an unknown configuration", unknown, redirect("(known after apply)")],
    ["an unknown action", { action: unknown, limit: 5 }, { action: "(known after apply)", limit: 5 }],
    ["allow with a number", { action: "allow", limit: 5 }, { action: "allow", limit: null }],
    ["no configuration", undefined, { action: "(known after apply)", limit: null }],
  ])("is read from %s", (_what, configuration, expected) => {
    const { action, limit, redirect_uri } = read(policy("default", configuration));
    const isUnknown = configuration === unknown;
    expect({ action, limit, ...(redirect_uri !== undefined && { redirect_uri }) }).toEqual(
      isUnknown ? { action: "(known after apply)", limit: null, redirect_uri: "(known after apply)" } : expected,
    );
  });

  test("has no redirect if the address is empty or null", () => {
    expect(read(policy("default", redirect("")))).not.toHaveProperty("redirect_uri");
    expect(read(policy("default", redirect(null)))).not.toHaveProperty("redirect_uri");
    expect(read(policy("default", undefined)).meaning).toBe("");
  });

  test("hides a sensitive configuration and names its other sensitive attributes", () => {
    const marks = { configuration: { limit: true }, consumer: true, resource: false };
    const found = policyFrom({ address: "policy.x" }, policy("default", redirect("https://a.example")), marks);
    expect(found).toMatchObject({ action: "(sensitive)", limit: null, secret: new Set(["consumer"]) });
    expect(found).not.toHaveProperty("redirect_uri");
  });

  test("has a key of resource, consumer and selector", () => {
    expect(keyOf(read(policy("default", block(1))))).toBe('["oauth_authentication_api","client","default"]');
  });
});

describe("a change of a limit", () => {
  test("names the plan, and has no plan without one", () => {
    const [named] = limitChanges([object("a", undefined, policy("default", block(5)), { plan: "edge" })]);
    expect(named).toEqual({
      address: "policy.a",
      plan: "edge",
      action: "create",
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "default",
      before: null,
      after: { action: "block", limit: 5, by: "default" },
    });
    expect(limitChanges([object("a", undefined, policy("default", block(5)))])[0]).not.toHaveProperty("plan");
    expect(limitFindings([named!])).toMatchObject([{ address: "policy.a", plan: "edge" }]);
  });

  test.each(["resource", "consumer", "consumer_selector"] as const)("hides a sensitive %s", (name) => {
    const marks = { beforeSensitive: { [name]: true } };
    const values = policy("client_id:a", block(5));
    const [change] = limitChanges([object("a", values, { ...values, configuration: block(4) }, marks)]);
    const shown = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "client_id:a" };
    expect(change).toMatchObject({ ...shown, [name]: "(sensitive)" });
    expect(change!.before!.by).toBe(name === "consumer_selector" ? "(sensitive)" : "client_id:a");
  });

  test("has an open outcome if only one side is sensitive and the limit changes", () => {
    const [before, after] = [policy("default", block(5)), policy("default", block(4))];
    const marks = { afterSensitive: { configuration: true } };
    const isOpen = (...sides: [Values?, Values?]) => limitChanges([object("a", ...sides, marks)])[0]!.open === true;
    expect(isOpen(before, after)).toBe(true);
    expect(isOpen(before, before)).toBe(false);
    expect(isOpen(undefined, after)).toBe(true);
    expect(limitChanges([object("a", before, undefined, { beforeSensitive: { configuration: true } })])[0]!.open).toBe(
      true,
    );
    expect(limitFindings(limitChanges([object("a", before, after, marks)]))[0]!.text).toMatch(
      /^The limit for clients without a policy of their own changes and is sensitive: from block above 5\/s \(default\) to /,
    );
  });

  test("gives both reasons in one note", () => {
    const moving = ["b", "c"].map((name) => object(name, undefined, policy(unknown, block(9))));
    const [change] = limitChanges([
      object("a", policy("client_id:a", block(5)), undefined),
      object("d", undefined, policy("default", block(1))),
      ...moving,
    ]);
    expect(change!.note).toBe(
      "policy.b and policy.c may limit the same callers, but that is known only after the apply; " +
        "whether the client belongs to a group with a policy of its own is not known",
    );
  });

  test("says that a hidden selector may be a client in a group", () => {
    const marks = { beforeSensitive: { consumer_selector: true } };
    const [change] = limitChanges([object("a", policy("client_id:a", block(5)), undefined, marks)]);
    expect(change!.assumptions).toEqual([
      "whether it is a client that belongs to a group with a policy of its own is not known",
      "whether the tenant has a default policy is not known",
    ]);
    expect(change!.note).toBe(change!.assumptions!.join("; "));
  });

  test("adds no note about groups while the client keeps its own policy", () => {
    const [own] = limitChanges([object("a", policy("client_id:a", block(5)), policy("client_id:a", block(4)))]);
    expect(own).not.toHaveProperty("note");
    const [group] = limitChanges([object("a", policy("third_party_clients", block(5)))]);
    expect(group!.assumptions).toEqual(["whether the tenant has a default policy is not known"]);
  });

  test("assumes nothing about policies of the tenant that were read", () => {
    const removed = object("a", policy("client_id:a", block(5)));
    const group = { id: "rlp_g", ...policy("third_party_clients", block(1)) };
    const usual = { id: "rlp_d", ...policy("default", block(7)) };
    expect(limitChanges([removed], [])[0]).not.toHaveProperty("assumptions");
    expect(limitChanges([removed], [usual])[0]).not.toHaveProperty("assumptions");
    expect(limitChanges([removed], [usual, group])[0]!.assumptions).toEqual([
      "whether the client belongs to a group with a policy of its own is not known",
    ]);
    const managed = object("d", policy("default", block(7)), policy("default", block(7)));
    expect(limitChanges([removed, managed])[0]!.assumptions).toEqual([
      "whether the client belongs to a group with a policy of its own is not known",
    ]);
  });

  test.each<[string, PlannedObject[], string | undefined]>([
    ["create", [object("a", undefined, policy("default", block(5)))], "create"],
    ["destroy", [object("a", policy("default", block(5)))], "destroy"],
    ["update", [object("a", policy("default", block(5)), policy("default", block(4)))], "update"],
    ["nothing", [object("a", policy("default", block(5)), policy("default", block(5)))], undefined],
    ["replace", [object("a", policy("default", block(5)), policy("client_id:a", block(5)))], "replace"],
    [
      "update, if another resource takes the policy",
      [object("a", policy("default", block(5))), object("b", undefined, policy("default", block(4)))],
      "update",
    ],
  ])("names what the plan does to the policy: %s", (_what, objects, action) => {
    for (const change of limitChanges(objects)) expect(change.action).toBe(action);
  });

  test("is no replacement if another resource creates a policy for other callers", () => {
    const [old, now] = [policy("client_id:a", block(5)), policy("client_id:b", block(5))];
    const actionsOf = (one: Partial<PlannedObject>, other: Partial<PlannedObject>) =>
      limitChanges([object("a", old, undefined, one), object("a", undefined, now, other)]).map(({ action }) => action);
    expect(actionsOf({}, { address: "policy.b" })).toEqual(["destroy", "create"]);
    expect(actionsOf({ plan: "eu" }, { plan: "us" })).toEqual(["destroy", "create"]);
    expect(actionsOf({ plan: "eu" }, { plan: "eu" })).toEqual(["replace", "replace"]);
  });

  test("may depend on a group that the plan destroys or creates", () => {
    const client = object("a", policy("client_id:a", block(5)));
    const usual = { id: "rlp_d", ...policy("default", block(7)) };
    const group = policy("third_party_clients", block(1));
    for (const one of [object("g", group), object("g", undefined, group)]) {
      expect(limitChanges([client, one], [usual])[0]!.assumptions).toEqual([
        "whether the client belongs to a group with a policy of its own is not known",
      ]);
    }
  });

  test("is contested even if one of the resources is destroyed", () => {
    const values = policy("default", block(5), { id: "rlp_1" });
    const two = [object("a", values), object("b", values, { ...values, configuration: block(4) })];
    const [change] = limitChanges(two, [], new Map([["rate limit policy rlp_1", two]]));
    expect(change!.assumptions).toEqual([
      "several resources manage the policy, and the one that is applied last sets the limit",
    ]);
  });

  test("has an address of a redirect only if the policy has one", () => {
    const [change] = limitChanges([
      object("a", policy("default", block(5)), policy("default", redirect("https://a.example"))),
    ]);
    expect(change!.before).not.toHaveProperty("redirect_uri");
    expect(change!.after).toHaveProperty("redirect_uri", "https://a.example");
  });

  test("takes a policy of the state before a remote one of the same key", () => {
    const remote = [{ id: "other", ...policy("default", block(7)) }];
    const [change] = limitChanges([object("a", policy("default", block(5), { id: "own" }))], remote);
    expect(change).toMatchObject({ before: { limit: 5 }, after: { limit: 7 } });
  });
});

describe("a finding about a limit", () => {
  const textsOf = (before: unknown, after: unknown) =>
    limitFindings(
      limitChanges([
        object("a", before ? policy("default", before) : undefined, after ? policy("default", after) : undefined),
      ]),
    ).map(({ text }) => text);

  test.each<[unknown, unknown, string[]]>([
    [
      undefined,
      block(5),
      ["The limit for clients without a policy of their own is new: from no limit to block above 5/s (default)."],
    ],
    [
      block(5),
      block(4),
      [
        "The limit for clients without a policy of their own is tighter: from block above 5/s (default) to block above 4/s (default).",
      ],
    ],
    [
      block(5),
      undefined,
      ["The limit for clients without a policy of their own is looser: from block above 5/s (default) to no limit."],
    ],
    [
      block(5),
      block(0),
      [
        "All requests of clients without a policy of their own are blocked: from block above 5/s (default) to block above 0/s (default).",
      ],
    ],
    [
      block(5),
      redirect("https://a.example"),
      [
        "Requests of clients without a policy of their own above the limit are newly redirected to https://a.example: from block above 5/s (default) to " +
          "redirect to https://a.example above 5/s (default).",
      ],
    ],
    [
      redirect("https://a.example"),
      block(5),
      [
        "Requests of clients without a policy of their own above the limit are blocked, and no longer redirected: from redirect to " +
          "https://a.example above 5/s (default) to block above 5/s (default).",
      ],
    ],
    [
      redirect("https://a.example"),
      redirect("https://a.example", 0),
      [
        "All requests of clients without a policy of their own are redirected: from redirect to https://a.example above 5/s (default) " +
          "to redirect to https://a.example above 0/s (default).",
      ],
    ],
  ])("words the change: %#", (before, after, texts) => {
    expect(textsOf(before, after)).toEqual(texts);
  });

  test("says that the plan does not show enough of a limit", () => {
    const limit = { action: "slow", limit: 5, by: "default" };
    const change = { resource: "r", consumer: "c", consumer_selector: "default", address: "policy.a" };
    const [found] = limitFindings([{ ...change, before: null, after: limit }]);
    expect(found!.text).toBe(
      "The plan does not show enough of the limit for clients without a policy of their own: from no limit to slow (default).",
    );
  });

  test("compares a known and an unknown limit, with a new redirect", () => {
    const by = "default";
    const after = { action: "redirect", limit: null, redirect_uri: "https://a.example", by };
    expect(judged({ before: null, after })).toEqual(["TF-LIMIT-UNKNOWN", "TF-LIMIT-REDIRECT"]);
    expect(judged({ before: { action: "block", limit: 5, by }, after: { action: "block", limit: null, by } })).toEqual([
      "TF-LIMIT-UNKNOWN",
    ]);
    expect(judged({ before: null, after: null })).toEqual([]);
  });
});

describe("notes for an adopted policy", () => {
  const note = ["It is the same as the default policy. Keep it only if it must stay when the default changes."];
  const notes = (...policies: Values[]) => [...policyNotes(policies)];

  test("say that it is the same as the default", () => {
    expect(
      notes(
        policy("default", block(5), { id: "d" }),
        policy("client_id:a", block(5), { id: "a" }),
        policy("client_id:b", block(6), { id: "b" }),
        policy("client_id:c", block(5), { id: "c", resource: "management_api" }),
      ),
    ).toEqual([
      ["d", []],
      ["a", note],
      ["b", []],
      ["c", []],
    ]);
  });

  test("are given by id, with those for ACLs", () => {
    const objects: Record<string, Values[]> = {
      network_acl: [{ id: "acl_1", description: "Office", priority: 1, rule: { match_all: true, action: block(1) } }],
      rate_limit_policy: [policy("default", block(5), { id: "d" })],
    };
    expect([...adoptionNotes(({ name }) => objects[name] ?? [])]).toEqual([
      ["acl_1", ["match_all is an Early Access feature, which the service may change."]],
      ["d", []],
    ]);
  });
});
