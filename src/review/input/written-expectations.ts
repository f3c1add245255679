/** Reads expectations from the provider blocks of a plan, as far as the plan and the configuration show them. */
import { notKnown } from "../../judge/access/access";
import { hidden } from "../../judge/impact/phrases";
import type { Values } from "../../judge/impact/model";
import { knownOrList, providerBlocks, variableIn } from "./expression";
import { textOf, type Block } from "../../formats/hcl/tree";
import type { Plan, ProviderConfig } from "./plan";

/** An expectation as somebody wrote it, in the JSON form. A symbol stands for a value that is not known. */
export interface Written {
  readonly name: string;
  /** The key of its provider configuration. */
  readonly key: string;
  readonly values: Values;
  /** The plan marks one of its values as sensitive. */
  readonly isSecret?: true;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  /** Why a part of it is not known, in sentences. */
  readonly unknowns: readonly string[];
  /** It has no `request` block, unless one is dynamic, which only the configuration shows. */
  readonly mayHaveRequest?: true;
  /** Likely facts that the plan does not show, as clauses. Nothing is proven then. */
  readonly assumptions: readonly string[];
}

const provider = ["tenant"];
const blocks: ReadonlySet<string> = new Set(["request", "except", "policy", "members"]);
const scalars: ReadonlySet<string> = new Set(
  "name outcome severity consumer consumer_selector organization_id at_least at_most".split(" "),
);

export function writtenIn(plan: Plan): Written[] {
  return providerBlocks(plan, provider).flatMap((config) => {
    const sources = sourcesOf(plan, config.key);
    const all = blocksOf(config.expressions?.["expectation"]);
    return all.map((block, index) => {
      const source = sources?.length === all.length ? sources[index] : undefined;
      return new Reading(plan, config, source).expectation(block, index);
    });
  });
}

/** The provider configurations with a dynamic `expectation` block, which plans leave out. */
export function dynamicIn(plan: Plan): string[] {
  const isDynamic = ({ type, labels }: Block) => type === "dynamic" && labels[0] === "expectation";
  return providerBlocks(plan, provider)
    .map(({ key }) => key)
    .filter((key) => plan.provider_blocks?.get(key)?.some((one) => one.blocks.some(isDynamic)));
}

const blocksOf = (value: unknown) => [(value ?? []) as Values | readonly Values[]].flat();

/** The blocks in the order of the plan. undefined: the configuration was not found, or Terraform merges several blocks. */
function sourcesOf({ provider_blocks: found }: Plan, key: string): readonly Block[] | undefined {
  const [only, ...others] = found?.get(key) ?? [];
  return only && others.length === 0 ? only.blocks.filter(({ type }) => type === "expectation") : undefined;
}

/** Reads one expectation. */
class Reading {
  private readonly unknowns: string[] = [];
  private readonly assumptions: string[] = [];
  private isSecret = false;
  private called = "";

  /** `source`: the block in the configuration. undefined: not found. */
  constructor(
    private readonly plan: Plan,
    private readonly config: ProviderConfig & { readonly key: string },
    private readonly source: Block | undefined,
  ) {}

  expectation(block: Values, index: number): Written {
    const { plan } = this.plan.name === undefined ? {} : { plan: this.plan.name };
    const named = this.attribute("name", block["name"], this.source);
    const isHidden = this.isSecret;
    this.unknowns.length = 0;
    this.assumptions.length = 0;
    this.called =
      typeof named === "string" && !isHidden ? named : isHidden ? hidden : `${this.config.key} ${index + 1}`;
    const { name: _name, ...rest } = block;
    const values = this.values(rest, this.source);
    const isAboutAll = !["request", "policy", "members"].some((one) => one in rest);
    return {
      name: this.called,
      key: this.config.key,
      values: { ...values, name: this.called },
      ...(this.isSecret && { isSecret: true }),
      ...(isAboutAll && !this.source && { mayHaveRequest: true }),
      ...(plan !== undefined && { plan }),
      unknowns: [...new Set(this.unknowns)],
      assumptions: [...new Set(this.assumptions)],
    };
  }

  private values(block: Values, source: Block | undefined): Values {
    const dynamic = (source?.blocks ?? []).filter(({ type }) => type === "dynamic").flatMap(({ labels }) => labels);
    const names = [...new Set([...Object.keys(block), ...dynamic])];
    const read = names.map((name): [string, unknown] => {
      if (dynamic.includes(name)) return [name, this.unknown(`\`${name}\` is a dynamic block, which plans leave out.`)];
      return [
        name,
        blocks.has(name) ? this.blocks(name, block[name], source) : this.attribute(name, block[name], source),
      ];
    });
    return Object.fromEntries(read.filter(([, value]) => value !== null));
  }

  private blocks(name: string, value: unknown, source: Block | undefined): unknown {
    const all = blocksOf(value);
    const sources = source?.blocks.filter(({ type }) => type === name) ?? [];
    return all.map((one, index) => this.values(one, sources.length === all.length ? sources[index] : undefined));
  }

  private attribute(name: string, expression: unknown, source: Block | undefined): unknown {
    const known = knownOrList(expression, this.plan, this.config);
    if (!known) return this.unknown(`The plan does not show \`${name}\`, which is not a constant.`);
    this.isSecret ||= known.isSecret;
    const variable = variableIn(expression);
    if (variable === undefined) return known.value;
    const called = `var.${variable.name}`;
    const isComputed = !variable.isExact && source !== undefined && textOf(source.attributes.get(name)) !== called;
    // A text is perhaps one entry of a list.
    if (isComputed || Array.isArray(known.value) === scalars.has(name))
      return this.unknown(`The plan does not show \`${name}\`, which is computed from ${called}.`);
    if (!variable.isExact && !source) this.assumptions.push(`\`${name}\` is exactly ${called}`);
    return known.value;
  }

  private unknown(why: string): symbol {
    this.unknowns.push(why);
    return notKnown(why);
  }
}
