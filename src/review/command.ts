/** `tenantform review`. */
import { writeFileSync } from "node:fs";
import { ReviewError } from "./error";
import { codes, isAtLeast, levels, type Level } from "./finding";
import { readPlans, type Edge, type NamedPlan } from "./input";
import { tenantsOf } from "./lockout";
import { readProbes } from "./probe";
import { reviewPlans, type Review } from "./review";

export const formats = ["text", "markdown", "json", "html", "sarif", "annotations"] as const;

export interface ReviewFlags {
  readonly format?: string;
  readonly output?: string;
  readonly tag?: string;
  readonly probe?: readonly string[];
  readonly failOn?: string;
  readonly ignore?: readonly string[];
  readonly tenant?: boolean;
}

/** The exit code. Nothing is written where it is not 0 or 3. */
export async function review(
  names: readonly string[],
  flags: ReviewFlags,
  version: string,
  edge: Edge,
): Promise<number> {
  try {
    return await reviewed(names, flags, version, edge);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    process.stderr.write(`${oneLine(error.message)}\n`);
    return error.exitCode;
  }
}

async function reviewed(names: readonly string[], flags: ReviewFlags, version: string, edge: Edge): Promise<number> {
  const format = chosen(flags.format ?? (process.stdout.isTTY ? "text" : "markdown"), formats, "--format");
  const failOn = flags.failOn === undefined ? undefined : chosen(flags.failOn, levels, "--fail-on");
  const ignored = ignoredBy(flags.ignore ?? []);
  const probes = (flags.probe ?? []).flatMap(readProbes);
  const plans = await readPlans(names, edge);
  const all = plans.map(({ plan }) => plan);
  const living = flags.tenant ? await (await import("./living.js")).livingTenant(edge.environment, all) : undefined;
  const options = { ignored, probes, ...(living && { living }) };
  const reviews = plans.map(({ name, plan }) => reviewPlans(name, [plan], options));
  // Plans of several tenants have nothing to do with each other.
  const isOne = new Set(all.flatMap(tenantsOf)).size < 2;
  const together = reviews.length > 1 && isOne ? reviewPlans("all plans together", all, options) : undefined;
  const text = await rendered(format, reviews, together, flags.tag ?? tagOf(plans, edge.environment), version);
  if (flags.output === undefined) process.stdout.write(text);
  else writeFileSync(flags.output, text);
  return failOn !== undefined && [...reviews, ...(together ? [together] : [])].some((one) => isGrave(one, failOn))
    ? 3
    : 0;
}

async function rendered(
  format: (typeof formats)[number],
  reviews: readonly Review[],
  together: Review | undefined,
  tag: string,
  version: string,
): Promise<string> {
  const every = together ? [together, ...reviews] : reviews;
  switch (format) {
    case "text": {
      const { toText } = await import("./text.js");
      return toText(every);
    }
    case "markdown": {
      const { toMarkdown } = await import("./markdown.js");
      return toMarkdown(every, { tag, at: new Date() });
    }
    case "json": {
      const { toJson, toJsonOfMany } = await import("./json.js");
      return `${JSON.stringify(reviews.length > 1 ? toJsonOfMany(reviews, together) : toJson(reviews[0]!), undefined, 2)}\n`;
    }
    case "html": {
      const { toHtml } = await import("./html.js");
      return toHtml(every);
    }
    case "sarif": {
      const { toSarif } = await import("./sarif.js");
      return `${JSON.stringify(toSarif(reviews, version), undefined, 2)}\n`;
    }
    case "annotations":
      return (await import("./annotations.js")).toAnnotations(reviews);
  }
}

/** Stacks, and the workspace where it is not the default. */
function tagOf(plans: readonly NamedPlan[], environment: NodeJS.ProcessEnv): string {
  return [...plans.map(({ name }) => name), environment["TF_WORKSPACE"] ?? ""].filter((part) => part !== "").join(",");
}

function isGrave({ findings }: Review, least: Level): boolean {
  return findings.some(({ level, ignored }) => ignored === undefined && isAtLeast(level, least));
}

function chosen<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new ReviewError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, 1);
}

function ignoredBy(flags: readonly string[]): Map<string, string> {
  return new Map(
    flags.map((flag): [string, string] => {
      const [, code = flag, reason = ""] = /^([^=]*)=(.*)$/s.exec(flag) ?? [];
      if (!(code in codes))
        throw new ReviewError(`--ignore ${code}: there is no such finding; docs/guides/findings.md has them.`, 1);
      if (reason.trim() === "") throw new ReviewError(`--ignore ${code} wants a reason: --ignore ${code}="why".`, 1);
      return [code, reason.trim()];
    }),
  );
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
