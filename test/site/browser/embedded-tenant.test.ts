/** The page of the embedded tenant in a browser: accessible, hostile names are texts, and numbers stay on one line. */
import { createEmulator, type Listening } from "../../../src/emulator/emulator";
import { openBrowser, screens, violations, type Browser } from "./chromium";

const hostile = `<img src=x onerror=alert(1)> ${"W".repeat(120)}`;
const emulator = createEmulator({
  seed: {
    network_acls: [
      {
        description: hostile,
        active: true,
        priority: 100,
        rule: {
          scope: "dynamic_client_registration",
          action: { redirect: true, redirect_uri: `https://example.com/${"a".repeat(200)}` },
          match: { ipv4_cidrs: ["203.0.113.128/25"], user_agents: ["x".repeat(200)] },
          not_match: { geo_country_codes: ["DE", "AT", "CH"], hostnames: [`${"b".repeat(60)}.example.com`] },
        },
      },
    ],
    rate_limit_policies: [
      {
        resource: "oauth_authentication_api",
        consumer: "client",
        consumer_selector: "third_party_clients",
        configuration: { action: "redirect", limit: 10_000, redirect_uri: `https://example.com/${"c".repeat(200)}` },
      },
    ],
    organizations: [{ name: "acme", members: Array.from({ length: 1234 }, (_, index) => `auth0|${index}`) }],
  },
});
let browser: Browser;
let listening: Listening;

beforeAll(async () => {
  listening = await emulator.listen();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await listening?.close();
});

/** Numbers and ids that take more than one line. */
const broken = `[...document.querySelectorAll("time, small, td.number")]
  .filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().height > 30;
  })
  .map((one) => one.textContent)`;

test.each(screens)("fits a screen of $viewport.width px in $colorScheme", async (screen) => {
  const context = await browser.newContext({ ...screen, bypassCSP: true });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("dialog", (dialog) => {
      problems.push("dialog");
      void dialog.dismiss();
    });
    await page.goto(listening.url);
    expect(await page.locator("main").innerText()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.evaluate(broken)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(screen.viewport.width);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await context.close();
  }
});
