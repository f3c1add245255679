/** Chooses the format of each output of a review, and loads only the renderers of these formats. */
import path from "node:path";
import { printableLines } from "../../formats/text/printable";
import { oneOf, UserError } from "../../formats/text/user-error";
import { writeWhole } from "../../formats/text/whole-file";
import { orWords } from "../../formats/text/lists";
import { repositoryRoot, workflowRoot } from "../input/root";
import { titleOfTenant } from "../input/tenant-address";
import type { Review, TenantReview } from "../judge/review";
import { noName, type NameOf, type Pages } from "./document";

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

/** `--format` counts for all files. Without it, each extension names the format; a name without one is for text. */
export function outputsOf({ format, output = [] }: OutputFlags): Output[] {
  const [first, ...more] = [output].flat();
  const formatOf = (file = "") => {
    const extension = path.extname(file).toLowerCase();
    const found = format ?? (extension === "" ? "text" : byExtension[extension]);
    if (found !== undefined) return oneOf(found, formats, "--format");
    throw new UserError(
      `--output ${file}: no format has the extension ${extension}: use ${orWords(Object.keys(byExtension))}, or give --format.`,
      "usage",
    );
  };
  if (first === undefined) return [{ format: formatOf() }];
  return [first, ...more].map((file) => ({ format: formatOf(file), file }));
}

/** Renders each output before it writes one. */
export async function write(outputs: readonly Output[], render: (format: Format) => Promise<string>): Promise<void> {
  const texts = await Promise.all(outputs.map(async ({ format }) => inert(await render(format), format)));
  for (const [index, { file }] of outputs.entries()) {
    if (file === undefined) process.stdout.write(texts[index]!);
    else writeFile(file, texts[index]!);
  }
}

function writeFile(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (error) {
    throw new UserError(
      `--output ${file} cannot be written (${(error as NodeJS.ErrnoException).code}): name a file in a folder that exists, with enough space.`,
      "usage",
    );
  }
}

/** Annotations must stay commands to the workflow runner. All other formats must not contain such commands. */
const inert = (text: string, format: Format) => (format === "annotations" ? text : printableLines(text));

/** Each finding names its tenant, and its plan if there are several: people see annotations and alerts alone. */
const nameOf =
  (isOne: boolean): NameOf =>
  ({ subject: { plan } }, { name, tenant }) => {
    const shown = isOne
      ? tenant?.name && tenant.words
      : titleOfTenant({ name: plan ?? name, ...(tenant && { tenant }) });
    return shown ? `${shown}: ` : "";
  };

interface Surroundings {
  readonly tag: string;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The only part of the reviews that is shown. */
  readonly only?: "expectations" | undefined;
}

export async function rendered(
  format: Format,
  reviews: readonly TenantReview[],
  { tag, version, environment, only }: Surroundings,
): Promise<string> {
  const judged = reviews.map(({ whole }) => whole);
  const every = reviews.flatMap(({ whole, parts }) => [whole, ...parts]);
  const isOne = every.length === 1;
  switch (format) {
    case "json": {
      const { expectationsJson, toJson, toJsonOfMany } = await import("./json.js");
      const json = only ? expectationsJson(judged) : isOne ? toJson(every[0]!) : toJsonOfMany(reviews);
      return `${JSON.stringify(json, undefined, 2)}\n`;
    }
    case "sarif": {
      const { toSarif } = await import("./sarif.js");
      const named = isOne ? noName : nameOf(isOne);
      return `${JSON.stringify(toSarif(judged, version, repositoryRoot(environment), named), undefined, 2)}\n`;
    }
    case "annotations": {
      const { toAnnotations } = await import("./annotations.js");
      return toAnnotations(judged, workflowRoot(environment), nameOf(isOne));
    }
    default: {
      const pages = only ? await expectationPages(judged) : await reviewPages(reviews, every);
      // `tag`: the text becomes a comment with this tag.
      if (format === "markdown") return (await import("./markdown.js")).toMarkdown(pages, { tag, at: new Date() });
      return format === "html" ? (await import("./html.js")).toHtml(pages) : (await import("./text.js")).toText(pages);
    }
  }
}

async function expectationPages(judged: readonly Review[]): Promise<Pages> {
  const { expectationsPage } = await import("./expectations.js");
  const { blindSpot } = await import("./sections.js");
  return { pages: judged.map(expectationsPage), note: blindSpot(judged) };
}

/** Only people need the effects of many tenants folded. */
async function reviewPages(reviews: readonly TenantReview[], every: readonly Review[]): Promise<Pages> {
  const { foldedReviews } = await import("./tenant-groups.js");
  const { pagesOf } = await import("./sections.js");
  const { lead, reviews: shown } = foldedReviews(reviews) ?? { lead: [], reviews: every };
  return pagesOf(shown, lead);
}
