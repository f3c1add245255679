/** Renders effects as SARIF 2.1.0 for code scanning. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { printable } from "../../formats/text/printable";
import { apisOf, type Effect, type Level } from "../../judge/impact/effect";
import { withCauses } from "../../judge/impact/words/words";
import { placeOf, fromRoot } from "../input/root";
import type { Review } from "../judge/review";
import { annotationKinds, noName, type NameOf } from "./document";
import { findingCodes, levelOf, linkTo, rows, type FindingCode } from "../../judge/codes/codes";

/** SARIF has another word for a notice. */
const kindOf = (level: Level) => annotationKinds[level].replace("notice", "note");
const severities: Record<Level, string> = { info: "0.0", low: "2.0", medium: "5.0", high: "8.0", critical: "9.5" };

/** The most results that services accept. */
const most = 5_000;

/** `root`: the folder of the repository. File names are relative to it. `nameOf`: of the tenant or plan, if a person must see it. */
export function toSarif(
  reviews: readonly Review[],
  version: string,
  root = process.cwd(),
  nameOf: NameOf = noName,
): object {
  const meanings = readMeanings();
  const results = reviews.flatMap((review) => review.effects.map((one) => resultOf(one, review, root, nameOf)));
  const tenants = [...new Set(reviews.flatMap(({ tenant }) => tenant?.name ?? []))].map(printable);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "tenantform",
            version,
            rules: findingCodes.map((code) => ruleOf(code, version, meanings.get(code)!)),
          },
        },
        results: results.slice(0, most),
        ...(tenants.length > 0 && { properties: { tenants } }),
      },
    ],
  };
}

/** SARIF messages may contain links in brackets and parentheses, but untrusted text must not create a link. */
function inert(text: string): string {
  return printable(text).replaceAll("](", "]\\(");
}

/** Markdown without its signs. */
const plain = (text: string) => text.replaceAll("`", "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");

/** What the page of effects, which is in the package, says first about each code. */
function readMeanings(): ReadonlyMap<string, string> {
  const page = readFileSync(path.join(__dirname, "../../../docs/guides/effects.md"), "utf8");
  return new Map(
    [...page.matchAll(/^### (TNF-.*)\n\n\*\*.*?\*\* (?:Level: \w+\. )?(.*)$/gm)].map(([, code, text]) => [
      code!,
      plain(text!),
    ]),
  );
}

function ruleOf(code: FindingCode, version: string, meaning: string): object {
  const page = linkTo(code, version);
  const level = levelOf(code);
  return {
    id: code,
    shortDescription: { text: rows[code].title },
    fullDescription: { text: meaning },
    help: { text: `${meaning} See ${page}`, markdown: `${meaning} [${code}](${page})` },
    helpUri: page,
    defaultConfiguration: { level: kindOf(level) },
    properties: { "security-severity": severities[level] },
  };
}

function resultOf(one: Effect, review: Review, root: string, nameOf: NameOf): object {
  const {
    code,
    level,
    subject: { address, plan },
    ignored,
    already,
  } = one;
  return {
    ruleId: code,
    // An effect that the plan does not touch must not fail a gate.
    level: already ? "note" : kindOf(level),
    message: { text: inert(nameOf(one, review) + withCauses(one)) },
    locations: [
      {
        physicalLocation: locationOf(one, review, root),
        ...(address !== undefined && { logicalLocations: [{ fullyQualifiedName: address, kind: "resource" }] }),
      },
    ],
    partialFingerprints: {
      effect: [code, address ?? "", ...apisOf(one), ...(plan === undefined ? [] : [plan])].join(" "),
    },
    ...(review.tenant?.name != null && { properties: { tenant: printable(review.tenant.name) } }),
    ...(already && { baselineState: "unchanged" }),
    ...(ignored !== undefined && { suppressions: [{ kind: "external", justification: inert(ignored) }] }),
  };
}

/** Services need a file for each result: without a known place, one of the configuration, or the name of the plan. */
function locationOf({ subject: { address, plan } }: Effect, review: Review, root: string): object {
  const own = placeOf(review, address, plan);
  const [some] = [...review.places].flatMap(([name, all]) =>
    plan === undefined || name === plan ? [...all.values()] : [],
  );
  const place = own ?? (some && { ...some, line: 1 });
  const file = place && fromRoot(root, place);
  if (file === undefined) {
    return { artifactLocation: { uri: uriOf(plan ?? review.name) }, region: { startLine: 1 } };
  }
  return { artifactLocation: { uri: uriOf(file), uriBaseId: "%SRCROOT%" }, region: { startLine: place!.line } };
}

/** `encodeURI` keeps `#`, `?` and a colon, which would end the path or begin a scheme, and throws at half a character. */
function uriOf(file: string): string {
  return file
    .split("/")
    .map((name) => encodeURIComponent(name.replace(/\p{Cs}/gu, "\ufffd")))
    .join("/");
}
