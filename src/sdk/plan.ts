/** Plans one object as a pure function: its values, and whether Terraform must replace it. */
import { attributePath, type Path } from "../cty/path";
import { equal, isList, isObject, unknown, type ObjectValue, type Value } from "../cty/value";
import { blanksAsNull } from "./blank";
import type { Codec } from "./codec";
import { identityOf, type Change, type Definition, type Identity, type Known } from "./definition";
import { fromPlain, toPlain } from "./plain";
import type { PlanRegistry } from "./plan-registry";
import type { Private } from "./private";
import { typeOf, type Attribute, type Shape } from "./schema";

export interface Plan {
  readonly planned: ObjectValue;
  /** Attributes whose change takes a new object. */
  readonly replace: readonly Path[];
}

/** `prior` is null for a new object. `kept`: its private state. */
export function planChange(
  attributes: readonly Attribute[],
  prior: ObjectValue | null,
  config: ObjectValue,
  derive?: Definition["derive"],
  kept: Known = {},
): Plan {
  const wanted = wantedOf(attributes, config, derive, kept);
  const settled = attributes.filter(({ computed, derived }) => !computed || derived);
  const [was, is] = [prior && blanksAsNull(attributes, prior), blanksAsNull(attributes, wanted)];
  const changed = settled.filter(
    ({ name, shape }) => !was || !equal(was[name] ?? null, is[name] ?? null, typeOf(shape)),
  );

  const planned = Object.fromEntries(
    attributes.map((attribute): [string, Value] => {
      const { name, volatile } = attribute;
      if (settled.includes(attribute)) return [name, wanted[name] ?? null];
      const renewed = !prior || (volatile && changed.length > 0);
      return [name, renewed ? unknown : (prior[name] ?? null)];
    }),
  );

  const replace = prior ? changed.filter((attribute) => attribute.replace) : [];
  return { planned, replace: replace.map(({ name }) => attributePath(name)) };
}

/** The values that need no call to the service: written values, and values derived from them. */
export function wantedOf(
  attributes: readonly Attribute[],
  config: ObjectValue,
  derive: Definition["derive"],
  kept: Known,
): ObjectValue {
  const written = withDefaults(attributes, config);
  const follows = derive?.(toPlain(blanksAsNull(attributes, written)) as Record<string, unknown>, kept) ?? {};
  return Object.fromEntries(
    attributes.map(({ name, shape, derived, writeOnly }): [string, Value] => {
      if (writeOnly) return [name, null];
      const isDerived = derived && (config[name] ?? null) === null && follows[name] !== undefined;
      return [name, isDerived ? fromPlain(follows[name], typeOf(shape)) : (written[name] ?? null)];
    }),
  );
}

/** The written values, and the defaults of the others. */
function withDefaults(attributes: readonly Attribute[], config: ObjectValue): ObjectValue {
  return Object.fromEntries(
    attributes.map(({ name, shape, default: value }) => {
      const written = config[name] ?? null;
      return [name, written === null ? fromPlain(value, typeOf(shape)) : descend(shape, written)];
    }),
  );
}

function descend(shape: Shape, written: Value): Value {
  if (shape.kind === "object" && isObject(written)) return withDefaults(shape.attributes, written);
  if ((shape.kind === "list" || shape.kind === "set") && isList(written)) {
    return written.map((element) => descend(shape.element, element));
  }
  return written;
}

/** The change that a plan makes to an object; `replaced`: the object that a new one replaces. */
export function changeOf(
  codec: Codec,
  prior: ObjectValue | null,
  planned: ObjectValue,
  replace: readonly unknown[],
  replaced: Identity | undefined,
): Change {
  const { attributes, type } = codec;
  const is = blanksAsNull(attributes, planned);
  const wanted = toPlain(is) as Record<string, unknown>;
  if (!prior) return { action: "create", planned: wanted, replaced };
  const action = replace.length > 0 ? "replace" : equal(blanksAsNull(attributes, prior), is, type) ? "keep" : "update";
  return { action, prior: codec.known(prior), planned: wanted };
}

/** A tainted object is destroyed for another one, which the same apply has made already or makes afterwards. */
export function endOf(
  definition: Definition,
  prior: Known,
  { objectKey, successor }: { readonly [Part in "objectKey" | "successor"]?: Private[Part] | undefined },
  registry: Pick<PlanRegistry, "madeByOther"> | undefined,
): Change {
  const identity = identityOf(definition, prior);
  // Some engines destroy an object without its key.
  const isMade = objectKey !== undefined && identity && registry?.madeByOther(definition.name, objectKey, identity);
  const next = isMade ? identity : successor;
  return { action: "destroy", prior, ...(next && { successor: next }) };
}

/** The planned values and the computed ones; nothing stays unknown. */
export function join(codec: Codec, planned: ObjectValue, computed: { readonly [name: string]: unknown }): ObjectValue {
  const added = codec.fromPlain(computed) as ObjectValue;
  return Object.fromEntries(
    codec.attributes.map(({ name }) => {
      const known = planned[name] === unknown ? null : (planned[name] ?? null);
      return [name, name in computed ? (added[name] ?? null) : known];
    }),
  );
}
