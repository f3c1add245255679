/** The built site in a browser: the playground, search, accessibility, and requests to other hosts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildSite } from "../../../src/tools/site/stage";
import { acl, block, change, planText } from "../../review/support/plan";
import { openBrowser, screens, violations, type Browser, type ContextOptions, type Page } from "./chromium";

const base = "/docs/";
let folder: string;
let server: Server;
let browser: Browser;
let home: string;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".webp": "image/webp",
};

function serve(): Promise<Server> {
  const started = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url!, "http://localhost").pathname).slice(base.length);
    const file = path.join(folder, name.endsWith("/") || name === "" ? `${name}index.html` : name);
    const isFile = existsSync(file) && statSync(file).isFile();
    response.writeHead(isFile ? 200 : 404, { "content-type": types[path.extname(file)] ?? "text/plain" });
    response.end(isFile ? readFileSync(file) : "");
  });
  return new Promise((resolve) => started.listen(0, "127.0.0.1", () => resolve(started)));
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-site-test-"));
  browser = await openBrowser();
  await buildSite(folder, base);
  server = await serve();
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Seen {
  readonly page: Page;
  /** The addresses of all requests. */
  readonly requests: string[];
  /** Errors of the page, and dialogs. */
  readonly problems: string[];
}

async function withPage(at: string, use: (seen: Seen) => Promise<void>, options: ContextOptions = {}): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const [requests, problems]: [string[], string[]] = [[], []];
    page.on("request", (request) => void requests.push(request.url()));
    page.on("pageerror", (error) => void problems.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
    page.on("dialog", (dialog) => {
      problems.push("dialog");
      void dialog.dismiss();
    });
    await page.goto(home + at);
    await use({ page, requests, problems });
  } finally {
    await context.close();
  }
}

const result = (page: Page) => page.locator("[data-side=after]");

describe("the playground", () => {
  test("evaluates a request with the keyboard alone, and sends nothing", async () => {
    await withPage("playground.html", async ({ page, requests, problems }) => {
      expect(await result(page).textContent()).toContain('blocked by "No sign-in from sanctioned countries"');
      const focused = () => page.evaluate<string>("document.activeElement.id");
      for (let pressed = 0; pressed < 30 && (await focused()) !== "try-0-country"; pressed++)
        await page.keyboard.press("Tab");
      expect(await focused()).toBe("try-0-country");
      await page.keyboard.type("DE");
      await page.keyboard.press("Enter");
      expect(await result(page).textContent()).toContain("allowed, because no ACL matches");
      expect(requests).toEqual([`${home}playground.html`]);
      expect(problems).toEqual([]);
    });
  });

  test("names an invalid field, and moves the focus to it", async () => {
    await withPage("playground.html", async ({ page }) => {
      await page.locator("#try-0-country").fill("Germany");
      await page.keyboard.press("Enter");
      expect(await page.locator("#try-0-country-problem").textContent()).toContain('"DE" is probably meant');
      expect(await page.evaluate("document.activeElement.id")).toBe("try-0-country");
      expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe("true");
    });
  });

  test("shows the verdict of a pasted plan whose names are hostile, and runs nothing of it", async () => {
    const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    const created = acl(3, { action: block, match_all: true }, { description: hostile });
    const text = planText([change(`tenant_network_acl.a["${hostile}"]`, null, created)]);
    await withPage("playground.html", async ({ page, requests, problems }) => {
      await page.locator("#text").fill(text);
      await page.locator("#evaluate").click();
      expect(await page.locator("article h1").textContent()).toContain("Blocks");
      expect(await page.locator("#results img, #results script").count()).toBe(0);
      expect(await result(page).textContent()).toContain(hostile);
      expect([requests.length, problems]).toEqual([1, []]);
    });
  });

  test("shares its contents by a link, whose fragment no server sees", async () => {
    await withPage("playground.html", async ({ page, requests }) => {
      await page.locator("#try-0-country").fill("DE");
      await page.keyboard.press("Enter");
      await page.locator("#link-button").click();
      await page.locator("#share:not([hidden])").waitFor();
      const link = await page.locator("#link").inputValue();
      expect(link).toMatch(/playground\.html#1\.[\w-]+$/);
      expect(requests).toHaveLength(1);
      await withPage(link.slice(home.length), async ({ page: other, requests: sent }) => {
        await result(other).waitFor();
        expect(await other.locator("#try-0-country").inputValue()).toBe("DE");
        expect(await result(other).textContent()).toContain("allowed, because no ACL matches");
        expect(sent.join()).not.toContain("#1.");
      });
    });
  });

  test("cannot send anything, even from a script of the page", async () => {
    await withPage("playground.html", async ({ page, requests }) => {
      const sent = await page.evaluate<string>('fetch("/x").then(() => "sent", () => "refused")');
      expect(sent).toBe("refused");
      expect(requests.filter((url) => url.endsWith("/x"))).toEqual([]);
    });
  });
});

test("shows the whole lines of a verdict, without scrolling in its box", async () => {
  await withPage("guides/review.html", async ({ page }) => {
    const cut = `[...document.querySelectorAll(".language-text pre")].filter((box) => box.scrollWidth > box.clientWidth).length`;
    expect(await page.locator(".language-text pre").count()).toBeGreaterThan(0);
    expect(await page.evaluate(cut)).toBe(0);
  });
});

test("npm run docs serves the playground at its short address, and ends with npm", async () => {
  const docs = spawn("npm", ["run", "docs", "--", "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  try {
    let output = "";
    const url = await new Promise<string>((resolve) => {
      for (const stream of [docs.stdout, docs.stderr])
        stream.on("data", (text: Buffer) => {
          output += stripVTControlCharacters(text.toString());
          const [, found] = /Local: +(http:\S+)\//.exec(output) ?? [];
          if (found !== undefined) resolve(found);
        });
    });
    const response = await fetch(`${url}/playground`);
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("Playground of Tenantform"),
    ]);
    // Ends only when no process holds the output any more.
    const ended = once(docs, "close");
    docs.kill();
    await ended;
    await expect(fetch(url)).rejects.toThrow();
  } finally {
    docs.kill();
  }
});

test("search finds a message by the words that a terminal shows", async () => {
  await withPage("index.html", async ({ page, requests }) => {
    await page.locator(".DocSearch-Button").click();
    await page.locator("#localsearch-input").fill("would be destroyed and created again");
    await page.locator("#localsearch-list a[href*='guides/findings.html'][href$='#tnf-renamed']").waitFor();
    expect(requests.filter((url) => !url.startsWith(home))).toEqual([]);
  });
});

/** Pages of documentation have one style, so two of the four screens show its mistakes. */
const pagesOn = ({ viewport: { width }, colorScheme }: (typeof screens)[number]) =>
  (width === 400) === (colorScheme === "light")
    ? ["playground.html", "index.html", "guides/checks.html"]
    : ["playground.html"];

test.each(screens)("pages are accessible and fit a screen of $viewport.width px in $colorScheme", async (screen) => {
  for (const at of pagesOn(screen)) {
    await withPage(
      at,
      async ({ page, requests }) => {
        await page.locator("h1").waitFor();
        expect({ at, broken: await violations(page) }).toEqual({ at, broken: [] });
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(screen.viewport.width);
        expect(requests.filter((url) => !url.startsWith(home))).toEqual([]);
      },
      // axe is a script, and the policy of the page would refuse it.
      { ...screen, bypassCSP: true },
    );
  }
});
