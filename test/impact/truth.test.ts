/** Shows each row of the truth to the provider and to the review. */
import { toJson } from "../../src/review/json";
import { openReview, type Reviewing } from "../resources/support/reviewing";
import { planAndReview } from "./support/channels";
import type { Content, Resource } from "./support/changes";
import {
  codeRows,
  expectationRows,
  limitRows,
  lockoutRows,
  memberRows,
  settingRows,
  terraform,
  type Row,
  type Subject,
} from "./truth";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview({ flags: ["tenant_acl_hmac_signature", "tenant_acl_match_all"] });
});
afterAll(() => reviewing.close());

const prefixes = {
  network_acl: "acl",
  network_acl_key: "key",
  rate_limit_policy: "rlp",
  organization_member_set: "org",
};

/** The row with the client id that the embedded tenant made. */
const named = <T>(part: T): T => {
  if (typeof part === "string") return part.replaceAll(terraform, reviewing.emulator.clientId) as T;
  if (Array.isArray(part)) return part.map(named) as T;
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, named(value)])) as T;
};

function resourceOf({ kind, before, after }: Subject, index: number): Resource {
  const name = `one_${index + 1}`;
  const id = `${prefixes[kind]}_${"a".repeat(21)}${"bcdefghijk"[index]}`;
  return { kind, name, ...(before && { id, before }), ...(after && { config: after }) };
}

async function judge({ objects, unmanaged = [], members = {}, settings = {} }: Row) {
  const { protected_request: protectedRequest = [], ...others } = settings;
  const change = {
    resources: named(objects).map(resourceOf),
    unmanaged,
    members: new Map(Object.entries(members)),
    protectedRequest: protectedRequest as Content[],
    settings: others,
  };
  const { said, review } = await planAndReview(reviewing, change);
  const json = toJson(review) as {
    readonly verdict: { readonly level: string; readonly summary: string };
    readonly effects: readonly { readonly code: string; readonly refuses?: boolean }[];
  };
  return {
    level: json.verdict.level,
    refuses: said.errors.length > 0,
    saysSo: json.effects.some(({ refuses }) => refuses === true),
    summary: json.verdict.summary.split("\n"),
    codes: json.effects.map(({ code }) => code.replace(/^\w+?-/, "")),
  };
}

describe.each([
  ["members", memberRows],
  ["limits", limitRows],
  ["codes", codeRows],
  ["lock-outs", lockoutRows],
  ["settings", settingRows],
  ["expectations", expectationRows],
])("%s", (_kind, rows) => {
  test.each(rows.map((row) => [row.what, row] as const))("%s", async (_what, row) => {
    const { level, refuses, saysSo, summary, codes } = await judge(row);
    expect({ level, refuses, saysSo, summary }).toMatchObject({
      level: row.level,
      refuses: row.refuses,
      saysSo: row.refuses,
    });
    expect(summary[0]).toContain(row.who);
    if (row.code !== undefined) expect(codes).toContain(row.code);
    if (row.never !== undefined) expect(summary.join("\n")).not.toContain(row.never);
  });
});
