/**
 * Reads one side of a comparison from HCL files, as `tenantform adopt` writes them: literals, lists of the folder's JSON files, and locals with
 * such values. Everything else is unknown, and files that are not read are named.
 */
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { notKnown } from "../access/access";
import type { Values } from "../impact/model";
import { kindOf } from "../kinds/kinds";
import { ReviewError } from "../review/error";
import { Unreadable } from "../review/places/block";
import { configurationFiles, isOverride, readRegular } from "../review/places/files";
import { depthOf, isSign, literalWords, type Token, TokenCursor, tokensOf } from "../review/places/hcl-tokens";

export interface HclResource {
  readonly type: string;
  readonly address: string;
  /** A value that was not read is a symbol. */
  readonly values: Values;
  /** `tenant`, or `tenant.other`. */
  readonly provider: string;
}

export interface HclFolder {
  /** All resources, also those of kinds that this version does not know. */
  readonly resources: readonly HclResource[];
  /** Why the folder may have other objects, in clauses. */
  readonly unread: readonly string[];
}

const isHcl = (name: string) => /\.(?:tf|tofu)$/.test(name);

/** A file, or a folder of files without a synthesized stack or a plan. undefined: the name is something else. */
export function hclIn(name: string): HclFolder | undefined {
  if (isHcl(name)) return contentOf([name], []);
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const names = readdirSync(name);
  if (["plan", "plan.json", "cdk.tf.json", "manifest.json"].some((file) => names.includes(file))) return undefined;
  const all = configurationFiles(names);
  const read = all.filter((file) => isHcl(file) && !isOverride(file) && !isTwin(file, all));
  if (!all.some(isHcl)) return undefined;
  return contentOf(
    read.map((file) => path.join(name, file)),
    all.filter((file) => !read.includes(file)),
  );
}

/** OpenTofu reads it in place of the file of the same name that Terraform reads. */
const isTwin = (file: string, all: readonly string[]) =>
  file.endsWith(".tofu") && all.includes(file.replace(/tofu$/, "tf"));

function contentOf(files: readonly string[], skipped: readonly string[]): HclFolder {
  const sources = files.map((file) => ({ file, source: textOf(file) }));
  const readers = () => sources.map(({ file, source }) => ({ file, reader: new Reader(tokensIn(file, source), file) }));
  const locals = new Map<string, unknown>();
  for (const { file, reader } of readers()) named(file, () => reader.file(locals));
  const found = readers().map(({ file, reader }) => named(file, () => reader.file(new Map(locals))));
  const resources = found.flatMap((one) => one.resources);
  const ours = resources.filter(({ type }) => kindOf(type));
  const isRepeated = ({ values }: HclResource) => ["count", "for_each"].some((one) => values[one] !== undefined);
  const providers = new Set(ours.map(({ provider }) => provider));
  const isElsewhere = ({ provider }: HclResource) => providers.size > 1 && provider.includes(".");
  return {
    resources: resources.filter((one) => !ours.includes(one) || !(isRepeated(one) || isElsewhere(one))),
    unread: [
      ...skipped.map((file) => `${file} is not read`),
      ...found.flatMap(({ modules }) => modules.map((module) => `module.${module} is not read`)),
      ...ours.filter(isRepeated).map(({ address }) => `only a plan shows the objects of ${address}`),
      ...ours.filter(isElsewhere).map(({ address, provider }) => `${address} is of the provider ${provider}`),
    ],
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ReviewError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const tokensIn = (file: string, source: string) => named(file, () => tokensOf(source));

function named<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw new ReviewError(`${file}, ${error.message}`);
    throw error;
  }
}

/** The largest list of members has some megabytes. */
const mostInList = 32 * 1024 * 1024;

/** The value of a JSON file in the folder of the HCL file or below. undefined: it cannot be read. */
function jsonAt(hcl: string, name: string): unknown {
  try {
    const folder = realpathSync(path.dirname(hcl));
    const file = realpathSync(path.join(folder, name));
    const bytes = file.startsWith(folder + path.sep) ? readRegular(file, mostInList) : undefined;
    return bytes && (JSON.parse(bytes.toString("utf8")) as unknown);
  } catch {
    return undefined;
  }
}

interface FileContent {
  readonly resources: readonly HclResource[];
  /** The names of the module calls. */
  readonly modules: readonly string[];
}

class Reader extends TokenCursor {
  private locals: Map<string, unknown> = new Map();
  private address = "";

  constructor(
    tokens: readonly Token[],
    /** The path of the file. */
    private readonly home: string,
  ) {
    super(tokens);
  }

  /** `locals`: those of the folder. The values of this file are added. */
  file(locals: Map<string, unknown>): FileContent {
    this.locals = locals;
    const resources: HclResource[] = [];
    const modules: string[] = [];
    for (let token = this.next(); token.kind !== "end"; token = this.next()) {
      const labels = this.labels(token);
      const [type = "", name = ""] = labels;
      const head = { type, address: `${type}.${name}` };
      this.address = token.text === "locals" ? "locals" : head.address;
      if (token.text === "resource" && kindOf(type)) {
        const { provider, ...values } = this.block();
        const own = typeof provider === "symbol" ? provider.description!.split(" ")[0]! : type.split("_")[0]!;
        resources.push({ ...head, values, provider: own });
      } else if (token.text === "locals") {
        for (const [local, value] of Object.entries(this.block())) locals.set(local, value);
      } else {
        this.skip("}");
        if (token.text === "resource") resources.push({ ...head, values: {}, provider: "" });
        if (token.text === "module") modules.push(type);
      }
    }
    return { resources, modules };
  }

  private labels({ kind, line }: Token): string[] {
    const labels: string[] = [];
    for (;;) {
      const token = this.take();
      if (kind === "name" && isSign(token, "{")) return labels;
      if (kind !== "name" || (token.kind !== "name" && token.kind !== "text"))
        throw new Unreadable(`line ${line}: a block must be here.`);
      labels.push(token.text);
    }
  }

  private block(): Values {
    const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      if (token.kind !== "name") throw new Unreadable(`line ${token.line}: a name must be here.`);
      if (isSign(this.peek(), "=")) {
        this.take();
        found[token.text] = this.value();
        continue;
      }
      const labels = this.labels(token);
      const inner = this.block();
      const name = token.text === "dynamic" ? (labels[0] ?? "dynamic") : token.text;
      const isOpen = token.text === "dynamic" || found[name] !== undefined;
      found[name] = isOpen ? notKnown(`the blocks ${name} in ${this.address}`) : inner;
    }
    return { ...found };
  }

  /** The value up to the end of the expression; a symbol with its text if it was not read. */
  private value(): unknown {
    const start = this.at;
    const found = this.literal();
    if (found !== undefined && this.isEnd()) return found;
    this.at = start;
    return notKnown(`${this.skip("value")} in ${this.address}`);
  }

  private isEnd(): boolean {
    const end = this.peek();
    return end.kind === "newline" || end.kind === "end" || ["}", "]", ","].some((sign) => isSign(end, sign));
  }

  /** undefined: not a value that can be read. */
  private literal(): unknown {
    const token = this.take();
    if (token.kind === "text") return token.isTemplate ? undefined : token.text;
    if (isSign(token, "[")) return this.list();
    if (isSign(token, "{")) return this.object();
    if (token.kind === "name" && Object.hasOwn(literalWords, token.text)) return literalWords[token.text];
    if (token.kind === "name") return this.reference(token);
    const isNegative = isSign(token, "-");
    const { text } = isNegative ? this.take() : token;
    return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * (isNegative ? -1 : 1) : undefined;
  }

  /** `local.name`, and `jsondecode(file("${path.module}/name.json"))`. */
  private reference({ text }: Token): unknown {
    if (text === "local" && isSign(this.take(), ".")) return this.locals.get(this.take().text);
    if (text !== "jsondecode" || !["(", "file", "("].every((part) => this.take().text === part)) return undefined;
    const [, file] = /^"\$\{path\.module\}\/([^"\\$%]+)"$/.exec(this.take().source ?? "") ?? [];
    const isWhole = [")", ")"].every((part) => isSign(this.take(), part));
    return file !== undefined && isWhole ? jsonAt(this.home, file) : undefined;
  }

  /** undefined: a key is no literal, or it is a `for` expression. */
  private object(): Values | undefined {
    const found: [string, unknown][] = [];
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      const isKey = token.kind === "name" || (token.kind === "text" && token.isTemplate !== true);
      const sign = this.take();
      if (!isKey || !(isSign(sign, "=") || isSign(sign, ":"))) return undefined;
      found.push([token.text, this.value()]);
      if (isSign(this.peek(), ",")) this.take();
    }
    return Object.fromEntries(found);
  }

  private list(): unknown[] | undefined {
    const found: unknown[] = [];
    for (;;) {
      while (this.peek().kind === "newline" || isSign(this.peek(), ",")) this.at++;
      if (isSign(this.peek(), "]")) break;
      if (this.peek().kind === "end") throw new Unreadable("a list has no end.");
      if (this.peek().text === "for") return undefined;
      found.push(this.value());
    }
    this.take();
    return found;
  }

  /** Skips a block whose brace is open, or an expression. Returns its beginning. */
  private skip(end: "}" | "value"): string {
    let text = "";
    for (let depth = 0; ; this.at++) {
      const token = this.peek();
      const closes = depthOf(token) < 0;
      if (token.kind === "end") {
        if (end === "value" && depth === 0) return text;
        throw new Unreadable(`line ${token.line}: a bracket has no end. Close it.`);
      }
      if (depth === 0 && end === "value" && (token.kind === "newline" || closes || isSign(token, ","))) return text;
      if (closes && depth === 0) break;
      depth += depthOf(token);
      if (text.length < 60) text += token.source ?? token.text;
    }
    this.at++;
    return text;
  }
}
