/** Starts a headless Chromium, which npm brings into the cache of the user. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { installed } from "../../../src/tools/site/generator";

/** The parts of playwright-core that these tests use. The project itself does not install it. */
export interface Browser {
  newContext(options: ContextOptions): Promise<Context>;
  close(): Promise<void>;
}

export interface ContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly bypassCSP?: boolean;
}

export interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Locator {
  textContent(): Promise<string | null>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  fill(text: string): Promise<void>;
  click(): Promise<void>;
  waitFor(): Promise<void>;
  count(): Promise<number>;
}

export interface Page {
  goto(url: string): Promise<unknown>;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "dialog", listener: (dialog: { dismiss(): Promise<void> }) => void): void;
  locator(selector: string): Locator;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  evaluate<T>(expression: string): Promise<T>;
  addScriptTag(script: { readonly path: string }): Promise<unknown>;
}

interface Playwright {
  readonly chromium: {
    launch(options: {
      readonly executablePath: string;
      readonly args: readonly string[];
      readonly env: NodeJS.ProcessEnv;
    }): Promise<Browser>;
  };
}

const modules = () => installed(__dirname, "browser");

export async function openBrowser(): Promise<Browser> {
  const { chromium } = require(path.join(await modules(), "playwright-core")) as Playwright;
  const own = process.env["TENANTFORM_CHROMIUM"];
  const { executablePath, libraries } = own ? { executablePath: own, libraries: "" } : unpacked(await modules());
  const { LD_LIBRARY_PATH: given = "" } = process.env;
  const env = { ...process.env, LD_LIBRARY_PATH: [given, libraries].filter((one) => one !== "").join(":") };
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], env });
}

/** The package unpacks the browser and its libraries into the temporary folder that it sees. */
function unpacked(folder: string) {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("npm has a Chromium for Linux on x64 only: set TENANTFORM_CHROMIUM to the path of a Chromium.");
  const place = path.join(folder, "../unpacked");
  mkdirSync(place, { recursive: true });
  const code = 'import("@sparticuz/chromium").then(({ default: it }) => it.executablePath()).then(console.log)';
  // With this variable, the libraries are unpacked too.
  const env = { ...process.env, TMPDIR: place, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };
  const output = execFileSync(process.execPath, ["-e", code], { cwd: folder, env, encoding: "utf8" });
  return { executablePath: output.trim(), libraries: path.join(place, "al2023/lib") };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The rules of accessibility that the page breaks, each with an element. */
export async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: path.join(await modules(), "axe-core/axe.min.js") });
  const found = await page.evaluate<{ violations: Violation[]; passes: unknown[] }>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations, passes }) => ({ violations, passes: passes.map(({ id }) => id) }))",
  );
  if (found.passes.length < 10) throw new Error("axe checked almost nothing.");
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
}

/** Screens on which pages are checked. */
export const screens = ([400, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ viewport: { width, height: 900 }, colorScheme })),
);
