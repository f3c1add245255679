/** Who refuses a lock-out of Terraform: the plan, the write and the review, for each way in which an ACL comes to block its requests. */
import { unknown } from "../../../../src/formats/cty/value";
import { aclFrom, type PlannedAcl } from "../../../../src/judge/impact/network-acl/acl";
import { analyseAcls } from "../../../../src/judge/impact/network-acl/analysis";
import { lockoutEffects } from "../../../../src/judge/impact/statement/effects";
import { builtIn, type Strength } from "../../../../src/judge/impact/statement/built-in";
import { aclWriteGuard } from "../../../../src/provider/resources/statements/write";
import { ownLimitGuard } from "../../../../src/provider/resources/statements/own-limit";
import { statementsIn } from "../../../../src/provider/resources/provider-block/configure";
import { eachTest } from "../../../support/each-test";
import { openReview } from "../support/reviewing";
import { acl, own, plan, type AclChange } from "./support/planning";

type Body = ReturnType<typeof acl> & { readonly id?: string };
const times = { created_at: "", updated_at: "" };
const scopes = ["authentication", "management", "tenant", "dynamic_client_registration"] as const;
type Scope = (typeof scopes)[number];

const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const block = { block: true };
const existing = (id: string, body: Body) => ({ ...body, id, ...times });
const rule = (of: Scope, criteria: object) => ({ action: block, ...criteria, scope: of });

interface Row {
  readonly present: readonly (Body & { readonly id: string })[];
  readonly changes: readonly AclChange[];
}

const create = (planned: object) => ({ action: "create", planned }) as AclChange;
const update = (prior: object, planned: object) => ({ action: "update", prior, planned }) as unknown as AclChange;

/** In each row, Terraform's requests to the APIs of the scope are blocked from everywhere afterwards. */
const rows: Readonly<Record<string, (scope: Scope) => Row>> = {
  "a new ACL of all addresses": (scope) => ({ present: [], changes: [create(wall(scope))] }),
  "two new ACLs that each block a part": (scope) => ({
    present: [],
    changes: [
      create(wall(scope, { match: { ipv4_cidrs: everywhere.ipv4_cidrs } }, 51)),
      create(wall(scope, { match: { ipv6_cidrs: everywhere.ipv6_cidrs } })),
    ],
  }),
  "an update of the rule": (scope) => {
    const prior = existing("acl_1", wall(scope, { match: { asns: [1] } }));
    return { present: [prior], changes: [update(prior, wall(scope))] };
  },
  "an update of the scope": (scope) => {
    const prior = existing("acl_1", wall("dynamic_client_registration"));
    return { present: [prior], changes: [update(prior, wall(scope))] };
  },
  "an ACL that is switched on": (scope) => {
    const prior = existing("acl_1", { ...wall(scope), active: false });
    return { present: [prior], changes: [update(prior, wall(scope))] };
  },
  "an ACL that moves before the one that allows": (scope) => {
    const prior = existing("acl_2", wall(scope));
    return { present: [all(10), prior], changes: [update(prior, wall(scope, undefined, 5))] };
  },
  "an ACL that allows and moves behind": (scope) => {
    const prior = all(10);
    return {
      present: [prior, existing("acl_2", wall(scope))],
      changes: [update(prior, { ...all(60), id: undefined })],
    };
  },
  "an ACL that is replaced by one that is switched on": (scope) => {
    const prior = existing("acl_1", { ...wall(scope), active: false });
    const successor = { ...create(wall(scope)), replaced: { id: "acl_1" } } as AclChange;
    return {
      present: [prior],
      changes: [{ ...update(prior, wall(scope)), action: "replace" } as AclChange, successor],
    };
  },
  "the end of the ACL that allows": (scope) => {
    const prior = all(10);
    return { present: [prior, existing("acl_2", wall(scope))], changes: [{ action: "destroy", prior } as AclChange] };
  },
};

function wall(of: Scope, criteria: object = { match: everywhere }, priority = 50): Body {
  return { ...acl(priority, block), rule: rule(of, criteria) as Body["rule"] };
}
const all = (priority: number) =>
  existing("acl_1", acl(priority, { allow: true }, everywhere)) as Body & { id: string };

interface Settings {
  readonly asksToken?: boolean;
  readonly settings?: object;
  /** What the review knows of the guard. */
  readonly strength?: Strength | undefined;
  readonly refreshes?: boolean;
}

const listed = (acls: readonly object[]): PlannedAcl[] => acls.flatMap((one) => aclFrom(one as never));

/** What the plan says, whether the last write is refused, and whether the review says that the provider refuses. */
async function judged(
  { present, changes }: Row,
  { settings = {}, asksToken = true, strength, refreshes = true }: Settings,
): Promise<string> {
  const isNew = changes.every(({ action }) => action === "create");
  const { review, statements } = plan({
    settings: { protected_request: [], ...settings },
    present,
    asksToken,
    // A plan that only creates reads nothing, and Terraform may be told not to read.
    phase: isNew || !refreshes ? "unknown" : "plan",
  });
  const said = (
    await Promise.all(changes.map((one) => review(one, one.prior?.id, one.replaced?.id as string | undefined)))
  ).flat();
  const severities = [...new Set(said.map((words) => /^\w+/.exec(words)![0]))];
  const inPlan = severities.includes("error") ? "refused" : severities.includes("warning") ? "warned" : "silent";

  const [after, before] = changes.reduce<[object[], object[]]>(
    ([now], { action, prior, planned }) => {
      const id = prior?.id;
      const rest = now.filter((one) => (one as Body).id !== id || id === undefined);
      return [planned && action !== "replace" ? [...rest, { ...planned, id: id ?? `new ${rest.length}` }] : rest, now];
    },
    [[...present], []],
  );
  const last = changes.at(-1)!;
  const write = { before: last.prior as never, after: last.planned as never };
  const guard = aclWriteGuard(statements, last.prior ? "update" : "create");
  const refusal = guard.mayRefuse(write) ? guard.refusal(before as never, after as never, write, true) : undefined;

  const versions = { before: listed(present), after: listed(after) };
  const terraform = { ...own, asksToken };
  const stated = builtIn(strength ?? unknown).map((one) => ({ stated: one, isEnforced: true }));
  const objects = [{ address: "acl", type: "tenant_network_acl", actions: ["create"] }];
  const effects = lockoutEffects({ objects, versions, acls: analyseAcls(versions) }, stated, terraform);
  const inReview = effects.some(({ refuses }) => refuses) ? "refused" : effects.length > 0 ? "told" : "silent";
  return `${inPlan}, ${refusal ? "refused" : "sent"}, ${inReview}`;
}

const isBlocking = (scope: Scope, asksToken = true) =>
  scope !== "dynamic_client_registration" && (asksToken || scope !== "authentication");

describe.each(Object.keys(rows))("%s", (name) => {
  test.each<[string, Settings, string]>([
    ["by default", { strength: "error" }, "refused, refused, refused"],
    ["with -refresh=false", { strength: "error", refreshes: false }, "refused, refused, refused"],
    ["with access_token", { strength: "error", asksToken: false }, "refused, refused, refused"],
    ["with the guard warn", { strength: "warn", settings: { lockout_guard: "warn" } }, "warned, sent, told"],
    ["with the guard off", { strength: "off", settings: { lockout_guard: "off" } }, "silent, sent, told"],
    // The apply knows both, and its guard then judges the write.
    ["with an unknown guard", { settings: { lockout_guard: unknown } }, "warned, sent, told"],
    ["with unknown protected requests", { settings: { protected_request: unknown } }, "warned, sent, told"],
  ])("%s", async (_what, settings, expected) => {
    for (const scope of scopes) {
      const answer = await judged(rows[name]!(scope), settings);
      const wanted = isBlocking(scope, settings.asksToken) ? expected : "silent, sent, silent";
      expect([scope, answer]).toEqual([scope, wanted]);
    }
  });
});

test.each<[string, Row]>([
  ["an ACL that the plan keeps", { present: [existing("acl_1", wall("authentication"))], changes: [] }],
  ["a new ACL behind one that allows", { present: [all(10)], changes: [create(wall("tenant"))] }],
  ["a new ACL that is switched off", { present: [], changes: [create({ ...wall("tenant"), active: false })] }],
  ["a new ACL that only logs", { present: [], changes: [create(acl(5, { log: true }, everywhere))] }],
  ["the end of an ACL that blocks", { present: [existing("acl_1", wall("tenant"))], changes: [] }],
])("%s locks nobody out", async (_what, { present, changes }) => {
  const prior = present[0];
  const action = _what.startsWith("the end") ? "destroy" : "keep";
  const judgedChanges =
    changes.length > 0 ? changes : [{ action, prior, ...(action === "keep" && { planned: prior }) } as never];
  expect(await judged({ present, changes: judgedChanges }, { strength: "error" })).toMatch(
    /^silent, sent, (silent|told)$/,
  );
});

describe("limits of the application with which Terraform authenticates", () => {
  const review = eachTest(() => openReview({}, { phase: "unknown" }));

  const policy = (selector: string, configuration: object) => ({
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: selector,
    configuration,
  });
  const limit = (count: unknown) => ({ action: "block", limit: count });
  const stored = (selector: string, configuration: object, letter: string) => ({
    ...policy(selector, configuration),
    id: `rlp_${letter.repeat(21)}`,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  });
  const mine = "client_id:OWN";
  const closed = stored("default", limit(0), "d");
  type Side = Pick<ReturnType<typeof policy>, "consumer_selector" | "configuration"> & { readonly id?: string };

  const few = stored(mine, limit(9), "a");
  const away = { ...limit(0), action: "redirect", redirect_uri: "https://a.example" };
  const elsewhere = "client_id:other";
  test.each<[string, readonly Side[], { readonly prior?: Side; readonly config?: Side }, string]>([
    ["a new policy of its own", [], { config: policy(mine, limit(0)) }, "refused, refused"],
    ["a new policy for all", [], { config: policy("default", limit(0)) }, "refused, refused"],
    ["a redirect of all its requests", [], { config: policy(mine, away) }, "refused, refused"],
    ["a lower limit", [few], { prior: few, config: policy(mine, limit(0)) }, "refused, refused"],
    ["the end of its own policy before one for all", [few, closed], { prior: few }, "refused, refused"],
    [
      "the move of its own policy to another application, below one for all",
      [few, closed],
      { prior: few, config: policy(elsewhere, limit(9)) },
      "refused, refused",
    ],
    ["a limit of few requests", [], { config: policy(mine, limit(1)) }, "warned, sent"],
    ["a limit of a group, perhaps its own", [], { config: policy("third_party_clients", limit(0)) }, "warned, sent"],
    ["a limit that is known only at the apply", [], { config: policy(mine, limit(unknown)) }, "silent, refused"],
    ["a limit of another application", [], { config: policy(elsewhere, limit(0)) }, "silent, sent"],
    ["a policy for all, beside one of its own", [few], { config: policy("default", limit(0)) }, "silent, sent"],
    ["a log", [], { config: policy(mine, { action: "log", limit: 0 }) }, "silent, sent"],
  ])("%s", async (_what, present, { prior, config }, expected) => {
    const { emulator } = review;
    const named = <T extends Side>(one: T): T => ({
      ...one,
      consumer_selector: one.consumer_selector.replace("OWN", emulator.clientId),
    });
    for (const one of present) emulator.store.rateLimitPolicies.put(named(one) as never);
    const answers: string[] = [];
    for (const lockout_guard of ["error", "warn", "off"]) {
      const settings = { lockout_guard, hide_early_access_warning: true, plan_warnings: "off" };
      const change = {
        kind: "rate_limit_policy",
        ...(prior && { prior: named(prior) }),
        ...(config && { config: named(config) }),
      };
      const { errors, warnings } = await review.planAll([change], settings);
      const inPlan = errors.length > 0 ? "refused" : warnings.length > 0 ? "warned" : "silent";

      const known =
        config &&
        named({
          ...config,
          configuration: {
            ...config.configuration,
            ...("limit" in config.configuration && config.configuration.limit === unknown && { limit: 0 }),
          },
        });
      const statements = statementsIn(settings as never, { ...own, client: emulator.clientId });
      const guard = ownLimitGuard(statements, { was: prior && named(prior), becomes: known });
      const before = present.map(named);
      const after = [...before.filter(({ id }) => id !== prior?.id || id === undefined), ...(known ? [known] : [])];
      answers.push(`${inPlan}, ${guard?.refusal(before as never, after as never) ? "refused" : "sent"}`);
    }
    const weaker = expected.replace("refused, refused", "warned, sent").replace("silent, refused", "silent, sent");
    expect(answers).toEqual([expected, weaker, "silent, sent"]);
  });
});
