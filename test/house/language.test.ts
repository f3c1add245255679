/**
 * Texts and names follow one glossary: no retired words, no sentence over 30 words, no fragments.
 * `LANGUAGE=src/adopt npx jest test/house/language` lists every hit below a path, with those in comments and test titles.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { hitsInHcl, hitsInMarkdown, hitsInPath, hitsInTypeScript, problemsOf, type Hit } from "../support/language";

const root = path.join(__dirname, "../..");
const skipped =
  /^src\/(constructs\/bindings|plugin\/protocol)\/|\/node_modules\/|\/cdktf\.out\/|^test\/(house|support)\/lang/;

const filesBelow = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => /\.(ts|md|tf)$|review\.schema\.json$/.test(file) && !skipped.test(file));

const singles = ["README.md", "CHANGELOG.md", "SECURITY.md", ".github/CONTRIBUTING.md"];
const files = [...singles, ...["docs", "examples", "src", "test"].flatMap(filesBelow)];

function hitsOf(file: string): Hit[] {
  const text = readFileSync(path.join(root, file), "utf8");
  if (file.endsWith(".md")) return hitsInMarkdown(text);
  if (file.endsWith(".tf")) return hitsInHcl(text);
  return [...hitsInPath(file), ...hitsInTypeScript(file, text, file.startsWith("test/"))];
}

const shown = (file: string, { line, problem, text, isComment }: Hit) =>
  `${file}:${line} ${problem}${isComment ? " (comment)" : ""} | ${text}`;

/** `src/adopt`, or the file itself outside `src`. */
const roomOf = (file: string) => (file.startsWith("src/") ? file.split("/").slice(0, 2).join("/") : file);

/** How many hits are left, at most. Zero is the aim: lower a number, never raise one. */
const left: Record<string, number> = {
  ".github/CONTRIBUTING.md": 15,
  "CHANGELOG.md": 25,
  "README.md": 5,
  "SECURITY.md": 5,
  "docs/data-sources/network_acl_key.md": 1,
  "docs/data-sources/network_acls.md": 2,
  "docs/data-sources/organization_members.md": 1,
  "docs/decisions/0001-constructs-load-definitions.md": 2,
  "docs/decisions/0002-own-front-door.md": 6,
  "docs/decisions/0003-taken-over-not-doubled.md": 6,
  "docs/decisions/0004-where-plans-are-judged.md": 8,
  "docs/decisions/0005-what-a-start-loads.md": 11,
  "docs/decisions/0006-native-build.md": 13,
  "docs/decisions/0007-http-1.md": 2,
  "docs/decisions/0008-node-http.md": 7,
  "docs/decisions/0009-one-zip-for-both-c-libraries.md": 5,
  "docs/decisions/0010-a-failed-move-is-carried-out-later.md": 10,
  "docs/decisions/0011-a-quota-shared-with-other-runs.md": 6,
  "docs/decisions/0012-the-signature-of-a-release.md": 1,
  "docs/decisions/0013-undici.md": 4,
  "docs/decisions/0014-the-checksum-of-a-reviewed-plan.md": 2,
  "docs/functions/acl_decision.md": 3,
  "docs/functions/acl_equivalent.md": 4,
  "docs/guides/adopt.md": 23,
  "docs/guides/checks.md": 34,
  "docs/guides/constructs.md": 23,
  "docs/guides/embedded-tenant.md": 6,
  "docs/guides/findings.md": 15,
  "docs/guides/from-auth0-provider.md": 6,
  "docs/guides/from-cdktf-to-cdktn.md": 1,
  "docs/guides/from-deploy-cli.md": 7,
  "docs/guides/messages.md": 28,
  "docs/guides/mirrors.md": 4,
  "docs/guides/pulumi.md": 6,
  "docs/guides/review.md": 28,
  "docs/guides/signed-requests.md": 8,
  "docs/guides/state.md": 6,
  "docs/index.md": 9,
  "docs/resources/network_acl.md": 3,
  "docs/resources/network_acl_key.md": 6,
  "docs/resources/organization_member_set.md": 2,
  "docs/resources/rate_limit_policy.md": 1,
  "examples/functions/acl_equivalent/function.tf": 1,
  "examples/quickstart/after.ts": 2,
  "examples/quickstart/before.ts": 3,
  "examples/recipes/canonical-domain.ts": 1,
  "examples/recipes/closed.ts": 2,
  "examples/recipes/countries.ts": 1,
  "examples/resources/tenant_organization_member_set/import.tf": 1,
  "examples/review/main.tf": 2,
  "examples/signed-requests/main.tf": 1,
  "src/access": 68,
  "src/adopt": 59,
  "src/archive": 4,
  "src/cli.ts": 6,
  "src/constructs": 19,
  "src/emulator": 91,
  "src/http-api.ts": 1,
  "src/impact": 20,
  "src/install": 8,
  "src/main.ts": 2,
  "src/plugin": 7,
  "src/provider.ts": 1,
  "src/resources": 91,
  "src/review": 113,
  "src/sdk": 79,
  "src/tenant": 98,
  "src/text": 1,
  "src/tools": 97,
};

const { LANGUAGE: below } = process.env;
if (below === undefined) {
  const counted = files.filter((file) => !file.startsWith("test/"));

  test("texts and names follow the glossary", () => {
    expect(counted.length).toBeGreaterThan(400);
    const hits = new Map<string, string[]>();
    for (const file of counted) {
      const found = hitsOf(file).filter(({ isComment }) => !isComment || file.startsWith("examples/"));
      hits.set(roomOf(file), [...(hits.get(roomOf(file)) ?? []), ...found.map((hit) => shown(file, hit))]);
    }
    const above = [...hits].filter(([room, found]) => found.length > (left[room] ?? 0));
    expect(Object.fromEntries(above)).toEqual({});
  });
} else {
  test(`texts, names and comments below ${below} follow the glossary`, () => {
    const chosen = files.filter((file) => file.startsWith(below));
    expect(chosen).not.toEqual([]);
    expect(chosen.flatMap((file) => hitsOf(file).map((hit) => shown(file, hit)))).toEqual([]);
  });
}

test.each([
  ["A retired word", "The plan holds for every request."],
  ["A passive verb of saying", "What is wrong is told in the plan."],
  ["A fragment", "Who knows it can sign in."],
  ["A fronted genitive", "The plan is refused; of the rest nothing happens."],
  ["A long sentence", `The plan ${"very ".repeat(30)}long.`],
])("%s is found", (_, sentence) => {
  expect(problemsOf(sentence)).not.toEqual([]);
});

test("plain sentences pass", () => {
  expect(problemsOf("What is a network ACL?")).toEqual([]);
  expect(problemsOf("The provider refuses an ACL that blocks a protected request.")).toEqual([]);
});

test("hits are found in strings, names, paths and comments, each with its line", () => {
  const source = 'const twin = 1;\n// it stands\nconst text = `it ${twin} ` + "is told";\n';
  expect(hitsInTypeScript("a.ts", source).map(({ line, isComment }) => [line, isComment])).toEqual([
    [3, false],
    [2, true],
    [1, false],
  ]);
  expect(hitsInPath("src/sdk/ledger.ts")).toHaveLength(1);
  expect(hitsInMarkdown("# Plan\n\nCode `is told` is left out.\nIt\nstands.\n").map(({ line }) => line)).toEqual([4]);
});
