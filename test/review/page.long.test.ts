/** Runs the built review page without a browser: its texts and its script. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { run } from "../support/program";
import { acl, allow, block, change, members, planText, policy } from "./support/plan";

const cli = path.join(__dirname, "../../dist/cli.js");

async function htmlOf(...plans: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-page-"));
  try {
    const files = plans.map((_, index) => `plan${index}.json`);
    for (const [index, text] of plans.entries()) await writeFile(path.join(folder, files[index]!), text);
    return (await run(process.execPath, [cli, "review", ...files, "--format", "html"], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const codeIn = (html: string) => /<script>(.*?)<\/script>/s.exec(html)![1]!;

const office = (cidr: string) => acl(1, { action: allow, match: { ipv4_cidrs: [cidr] } }, { description: "Office" });
const closed = acl(9, { action: block, match_all: true, scope: "authentication" }, { description: "Closed" });
const officeNarrows = planText([
  change("tenant_network_acl.office", office("203.0.113.0/24"), office("203.0.113.0/25")),
  change("tenant_network_acl.closed", closed, closed),
]);

/** Texts that could leave their element, run, or change the direction of a line. */
const hostile = [
  "</script><script>alert(1)</script>",
  "</title><img src=x onerror=alert(1)>\"'&",
  "\u202eevil\u2066",
  "x".repeat(255),
  "`${alert(1)}` --> ]]>",
];

describe("the page", () => {
  test("shows hostile texts as they are, and runs only its own script", async () => {
    const html = await htmlOf(
      planText([
        ...hostile.map((description, index) =>
          change(
            `tenant_network_acl.a["${index}${description}"]`,
            null,
            acl(index + 1, { action: block, match: { user_agents: [description] } }, { description }),
          ),
        ),
        ...hostile.map((name, index) =>
          change(`tenant_rate_limit_policy.p${index}`, null, policy(name, { action: "block", limit: 1 })),
        ),
        change("tenant_organization_member_set.s", members(hostile[1]!, hostile), members(hostile[1]!, [])),
      ]),
    );
    const [, policyOfPage] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)!;
    const hash = createHash("sha256").update(codeIn(html)).digest("base64");
    expect(policyOfPage).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    const outsideScripts = html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
    const tags = [...outsideScripts.matchAll(/<([a-z][\w-]*)/gi)].map(([, tag]) => tag!.toLowerCase());
    expect(new Set(tags)).not.toContain("img");
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(outsideScripts).not.toMatch(
      /\b(src|href)=(?!x onerror|"https:\/\/github\.com\/tenantform\/tenantform\/blob\/v[\d.]+\/docs\/guides\/findings\.md#[a-z-]+")/,
    );
  });

  test("has the verdict as its title and as its first heading, with its level as text", async () => {
    const html = await htmlOf(
      planText([change("tenant_organization_member_set.s", members("org_1", ["a", "b"]), members("org_1", []))]),
    );
    const [, title] = /<title>(.*?)<\/title>/.exec(html)!;
    expect(title).toMatch(/^✖ /);
    const [, first] = /<h1>(.*?)<\/h1>/s.exec(html.slice(html.indexOf("<body>")))!;
    expect(first).toContain(title);
    expect(html).toContain('<span class="level critical">Level: critical</span>');
    expect(html.indexOf("<h1>")).toBeLessThan(html.indexOf("Review of plan0"));
  });

  const draft = (active: boolean) =>
    acl(
      40,
      { action: block, not_match: { geo_country_codes: ["FR", "IT"] }, scope: "authentication" },
      { description: "Draft", active },
    );
  const switched = [change("tenant_network_acl.draft", draft(false), draft(true))];

  test("shows the share of an effect and the most affected countries as bars with figures", async () => {
    const html = await htmlOf(planText(switched));
    expect(html).toMatch(/<span>Blocked: sign-in and client registration<\/span>[^]*?width:9\d\.\d\d%[^]*?about 9\d %/);
    const [, first, bar, figure] =
      /Countries with blocked requests<\/h3>\s*<ul class="bars"><li><span>(.*?)<\/span>([^]*?)<span>(.*?)<\/span><\/li>/.exec(
        html,
      )!;
    expect([first, figure]).toEqual(["China (CN)", "all of 1.02 billion Internet users"]);
    expect(bar).toContain("width:100.00%");
    expect(html).toMatch(/and \d+ more countries/);
    expect(html).not.toContain("France (FR)</span>");
  });

  test("shows no bars if they would reveal a sensitive value", async () => {
    const marks = { rule: { not_match: { geo_country_codes: true } } };
    const html = await htmlOf(
      planText([change("tenant_network_acl.draft", draft(false), draft(true), { sensitive: marks })]),
    );
    expect(html).not.toContain('class="bars"');
    expect(html.slice(html.indexOf("<body>"), html.indexOf("<script>"))).not.toMatch(/\b(FR|IT)\b/);
  });

  test("says almost all if a few addresses of a country are not affected", async () => {
    const allowed = acl(1, { action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
    const html = await htmlOf(planText([change("tenant_network_acl.office", allowed, allowed), ...switched]));
    expect(html).toContain("almost all of 1.02 billion Internet users");
  });

  test("says that all countries are alike, instead of naming them", async () => {
    const html = await htmlOf(planText([change("tenant_network_acl.closed", null, closed)]));
    expect(html).toContain("All countries alike: all of their requests.");
    expect(html).not.toContain("China (CN)");
  });

  test("folds effects that were so before the plan, and lists effects without a line in the verdict", async () => {
    const wide = acl(1, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wide" });
    const narrow = acl(2, { action: block, match: { geo_country_codes: ["KP"] } }, { description: "Narrow" });
    const selectors = ["a", "b", "c", "d", "e"];
    const html = await htmlOf(
      planText([
        change("tenant_network_acl.wide", wide, wide),
        change("tenant_network_acl.narrow", narrow, narrow),
        ...selectors.map((name) =>
          change(`tenant_rate_limit_policy.${name}`, null, policy(name, { action: "block", limit: 5 })),
        ),
      ]),
    );
    const fold = /<details class="part"><summary><h2>Already so before this plan \(1\)<\/h2>[^]*?<\/details>/.exec(
      html,
    )!;
    expect(fold[0]).toContain("TNF-ACL-SHADOWED");
    expect(html.replace(fold[0], "")).not.toContain("TNF-ACL-SHADOWED");
    const [head = "", rest = ""] = html.slice(html.indexOf("<h1>")).split("</h1>");
    const [, others = ""] = /<h2>More effects: .*?<\/h2>([^]*?)<\/section>/.exec(rest)!;
    for (const name of selectors) expect(head + others).toContain(`tenant_rate_limit_policy.${name} is created`);
  });

  test("does not repeat an effect whose line in the verdict is shortened", async () => {
    const agents = Array.from({ length: 3 }, (_, index) => `${"long agent ".repeat(20)}${index}`);
    const many = agents.map((agent, index) =>
      change(
        `tenant_network_acl.a["${agent}"]`,
        null,
        acl(index + 1, { action: block, match: { user_agents: [agent] } }, { description: agent }),
      ),
    );
    expect(await htmlOf(planText(many))).not.toContain("More effects");
  });

  test("shows each of several plans, and one main part", async () => {
    const html = await htmlOf(officeNarrows, planText([change("tenant_network_acl.x", null, closed)]));
    expect(html.match(/<main>/g)).toHaveLength(1);
    expect(html.match(/<article>/g)).toHaveLength(3);
    const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("shows the order of evaluation only if it changes", async () => {
    const html = await htmlOf(officeNarrows);
    expect(html).not.toContain("Order of evaluation");
    const moved = await htmlOf(
      planText([
        change("tenant_network_acl.office", office("203.0.113.0/24"), { ...office("203.0.113.0/24"), priority: 10 }),
        change("tenant_network_acl.closed", closed, closed),
      ]),
    );
    expect(moved).toContain("Order of evaluation");
    expect(moved).toContain("<em>was 1</em>");
    expect(await htmlOf(planText(switched))).toContain("<em>switched on</em>");
  });

  test("folds 300 changed ACLs, and stays below 2 MB", async () => {
    const rules = (shift: number) =>
      Array.from({ length: 300 }, (_, index) =>
        acl(
          index + 1,
          { action: index % 3 ? block : allow, match: { ipv4_cidrs: [`10.${index % 256}.${shift}.0/26`] } },
          { id: `acl_${index}`, description: `Rule ${index}` },
        ),
      );
    const [before, after] = [rules(0), rules(1)];
    const html = await htmlOf(
      planText(before.map((one, index) => change(`tenant_network_acl.n[${index}]`, one, after[index]!))),
    );
    expect(html.length).toBeLessThan(2_000_000);
    const open = html
      .slice(html.indexOf("<body>"), html.indexOf("<script"))
      .replaceAll(/<details[\s\S]*?<\/details>/g, "");
    expect(open.match(/<li>/g)!.length).toBeLessThan(60);
  });
});
