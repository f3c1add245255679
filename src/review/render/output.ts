/** Chooses the format of each output of a review, and loads only the renderers of these formats. */
import path from "node:path";
import type { Effect } from "../../impact/effect";
import { printableLines } from "../../text/printable";
import { oneOf } from "../error";
import { repositoryRoot, workflowRoot } from "../places/root";
import type { Review } from "../review";
import { titleOfTenant } from "../site";
import type { TenantReview } from "../tenants";

export const formats = ["text", "markdown", "json", "html", "sarif", "annotations"] as const;
export type Format = (typeof formats)[number];

export interface OutputFlags {
  readonly format?: string;
  /** One file, or several whose extensions name their formats. */
  readonly output?: string | readonly string[];
}

export interface Output {
  readonly format: Format;
  /** Undefined: standard output. */
  readonly file?: string;
}

const byExtension: Readonly<Record<string, Format>> = {
  ".txt": "text",
  ".md": "markdown",
  ".json": "json",
  ".html": "html",
  ".sarif": "sarif",
};

/** `--format` counts for all files. Without it, each extension names the format. */
export function outputsOf({ format, output = [] }: OutputFlags, isTerminal = process.stdout.isTTY): Output[] {
  const given = format === undefined ? undefined : oneOf(format, formats, "--format");
  const usual = isTerminal ? "text" : "markdown";
  const files = [output].flat();
  if (files.length === 0) return [{ format: given ?? usual }];
  return files.map((file) => ({ format: given ?? byExtension[path.extname(file).toLowerCase()] ?? usual, file }));
}

/** Each finding names its tenant, and its plan if there are several: people see annotations and alerts alone. */
function withNames(judgement: Review, isOne: boolean): Review {
  const { name, tenant, effects } = judgement;
  const nameOf = ({ plan = name }: Effect) =>
    isOne ? tenant?.name && tenant.words : titleOfTenant({ name: plan, ...(tenant && { tenant }) });
  const named = (one: Effect) => [nameOf(one), one.text].filter(Boolean).join(": ");
  return { ...judgement, effects: effects.map((one) => ({ ...one, text: named(one) })) };
}

/** Annotations must stay commands to the workflow runner. All other formats must not contain such commands. */
export async function rendered(...[format, ...rest]: Parameters<typeof inFormat>): Promise<string> {
  const text = await inFormat(format, ...rest);
  return format === "annotations" ? text : printableLines(text);
}

interface Surroundings {
  readonly tag: string;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
}

async function inFormat(
  format: Format,
  reviews: readonly TenantReview[],
  { tag, version, environment }: Surroundings,
): Promise<string> {
  const judged = reviews.map(({ whole }) => whole);
  const every = reviews.flatMap(({ whole, parts }) => [whole, ...parts]);
  const isOne = every.length === 1;
  // Only people need the effects of many tenants folded.
  const folded = ["text", "markdown", "html"].includes(format)
    ? (await import("../folded.js")).foldedReviews(reviews)
    : undefined;
  const { lead, reviews: shown } = folded ?? { lead: [], reviews: every };
  switch (format) {
    case "text": {
      const { toText } = await import("./text.js");
      return toText(shown, lead);
    }
    case "markdown": {
      const { toMarkdown } = await import("./markdown.js");
      return toMarkdown(shown, { tag, at: new Date(), lead });
    }
    case "json": {
      const { toJson, toJsonOfMany } = await import("../json.js");
      return `${JSON.stringify(isOne ? toJson(every[0]!) : toJsonOfMany(reviews), undefined, 2)}\n`;
    }
    case "html": {
      const { toHtml } = await import("./html.js");
      return toHtml(shown, lead);
    }
    case "sarif": {
      const { toSarif } = await import("./sarif.js");
      const named = isOne ? judged : judged.map((one) => withNames(one, isOne));
      return `${JSON.stringify(toSarif(named, version, repositoryRoot(environment)), undefined, 2)}\n`;
    }
    case "annotations": {
      const { toAnnotations } = await import("./annotations.js");
      return toAnnotations(
        judged.map((one) => withNames(one, isOne)),
        workflowRoot(environment),
      );
    }
  }
}
