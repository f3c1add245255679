/**
 * Plans one change for Terraform. `planResourceChange` reads as a list of stages. The values of the object follow from its prior state
 * and its configuration alone; the review also asks the tenant and the other objects of the plan.
 */
import { attributePath, type Path } from "../../formats/cty/path";
import { equal, isList, isObject, type ObjectValue, unknown, type Value } from "../../formats/cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import {
  accountFor,
  isHopeless,
  notDone,
  openPrivate,
  partsFor,
  type Private,
  reportOnce,
  type Review,
  sealPrivate,
  type Session,
  type Surroundings,
} from "./session";
import { blanksAsNull, fromPlain, toPlain } from "./values";
import type { Codec } from "./codec";
import { type Change, type Definition, type Identity, identityOf } from "./definition";
import { type Diagnostic, isError, protocolDiagnostic, protocolPath, wholePlan } from "./diagnostic";
import type { PlanRegistry } from "./plan-registry";
import type { Resource } from "./resource";
import { type Attribute, type Shape, typeOf } from "./schema";
import { strangeReport } from "./check";

export function planResource<Client>(
  surroundings: Surroundings<Client>,
): Required<Pick<ProviderHandlers, "planResourceChange">> {
  const { find, session, warnings } = surroundings;
  return {
    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate, priorIdentity }) {
      const { resource, codec, identity } = await find(typeName);
      const registry = session()?.registry;

      // 1. What was and what is written. Only the proposed state tells that Terraform destroys the object.
      const prior = codec.decode(priorState);
      const written = codec.holds(proposedNewState) ? codec.decode(config) : null;
      const before = openPrivate(priorPrivate);
      // An applying process plans no deletion, and `terraform destroy` plans them in a process that reads nothing.
      if (!written && registry?.phase === undefined) registry?.touch("destroy");

      // 2. The values that follow: planned ones, and whether they take a new object.
      const { definition } = resource;
      const { planned, replace } = written
        ? planChange(codec.attributes, prior, written, definition.derive)
        : { planned: null, replace: [] };
      const change = withSuccessor(
        definition,
        changeOf(codec, prior, planned, replace, before.replaced?.identity),
        before,
        registry,
      );

      // 3. Mistakes of the configuration, and an update that would drop what nobody can write, end the plan of this object.
      const diagnostics = codec.check(written).filter(isError);
      if (prior && before.strange && change?.action === "update") {
        const report = strangeReport("error", resource.title(codec.known(prior)), before.strange);
        diagnostics.push(protocolDiagnostic(report));
      }

      // 4. Each object of a state, changed or not, belongs to the tenant of this configuration: with -refresh=false, nothing else tells
      // that a new object would go to another tenant.
      let { account } = before;
      if (diagnostics.length === 0 && prior && account) {
        const checked = await accountFor(surroundings, { account, title: () => resource.title(codec.known(prior)) });
        account = checked.account;
        diagnostics.push(...checked.errors);
      }

      // 5. What only the tenant or the other objects of the plan can tell.
      const reviewed =
        change && diagnostics.length === 0 ? await review(surroundings, resource, before, change) : undefined;

      // 6. What the apply needs goes into the private state of the plan.
      const objectKey = reviewed?.objectKey ?? before.objectKey;
      const replaced = prior ? { objectKey, identity: identityOf(definition, codec.known(prior)) } : before.replaced;
      return {
        plannedState: codec.encode(planned),
        plannedIdentity: planned ? identity.encode(toPlain(planned) as Identity) : priorIdentity,
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: sealPrivate({
          objectKey,
          account,
          ...(planned && reviewed?.again && { reviewAgain: true }),
          others: prior ? partsFor(resource, codec.known(prior), registry, { ...before, objectKey }) : before.others,
          successor: planned ? identityOf(definition, codec.known(planned)) : before.successor,
          ...(planned && { replaced }),
        }),
        diagnostics: [...(reviewed?.diagnostics ?? diagnostics), ...warnings()],
      };
    },
  };
}

/** A tainted object is destroyed for another one, which the same apply has made already or makes afterwards. */
export function withSuccessor<C extends Change | undefined>(
  definition: Definition,
  change: C,
  { objectKey, successor }: Pick<Private, "objectKey" | "successor">,
  registry: Pick<PlanRegistry, "madeByOther"> | undefined,
): C {
  if (change?.action !== "destroy") return change;
  const identity = identityOf(definition, change.prior);
  const isMade = objectKey !== undefined && identity && registry?.madeByOther(definition.name, objectKey, identity);
  const next = isMade ? identity : successor;
  return next ? { ...change, successor: next } : change;
}

export interface Reviewed {
  readonly objectKey?: string | undefined;
  readonly diagnostics: readonly ProtocolDiagnostic[];
  /** Whether the apply must review the change again. */
  readonly again: boolean;
}

export async function review<Client>(
  surroundings: Surroundings<Client>,
  resource: Resource<Client>,
  kept: Private,
  change: Change,
  { isApply = false } = {},
): Promise<Reviewed> {
  const session = surroundings.session();
  // What another entry of the state has taken over stays.
  const next = change.action === "destroy" ? change.successor : undefined;
  const stays = next && equal(next, identityOf(resource.definition, change.prior!));
  if (!session || stays) return { objectKey: kept.objectKey, diagnostics: [], again: false };
  const { registry } = session;
  const isEarly = registry.phase === undefined && change.action === "create";
  const plan = enter(session, resource, kept, change, isApply);
  const { objectKey } = plan;
  const diagnostics: ProtocolDiagnostic[] = [];
  const add = (diagnostic: Diagnostic) => void diagnostics.push(protocolDiagnostic(diagnostic));
  let again = false;
  const reported = new Set<string>();
  const ask: Review = async (report) => {
    await resource.review?.(change, {
      client: session.client,
      plan,
      log: surroundings.log,
      report(diagnostic) {
        const { code, detail, path = [] } = diagnostic;
        const key = JSON.stringify([code, detail]);
        if (!reported.has(key)) report({ ...diagnostic, path });
        reported.add(key);
      },
    });
  };
  try {
    if (isHopeless(session)) return { objectKey, diagnostics, again: true };
    const { client } = session;
    const isGone = change.action === "destroy" && !isApply && client && (await resource.isGone?.(change.prior, client));
    if (isGone) return { objectKey, diagnostics, again };
    await ask(add);
    if (isEarly) session.early.push(ask);
    const { phase } = registry;
    for (const one of phase === "plan" || phase === "destroy" ? session.early.splice(0) : [])
      await one(one === ask ? add : (diagnostic) => add(ofAnother(diagnostic)));
  } catch (error) {
    again = true;
    diagnostics.push(...reportOnce(surroundings, error, isApply ? notDone : undefined));
  }
  return { objectKey, diagnostics, again };
}

/** A report of another object than that of the call. */
const ofAnother = ({ detail, ...rest }: Diagnostic): Diagnostic => ({
  ...rest,
  detail: detail.startsWith(wholePlan) ? detail : `${wholePlan} ${detail}`,
  path: [],
});

function enter<Client>(
  { registry }: Session<Client>,
  { definition }: Resource<Client>,
  { objectKey, replaced }: Private,
  change: Change,
  isApply: boolean,
) {
  const entered = isApply && objectKey !== undefined ? registry.entered(objectKey) : undefined;
  return (
    entered ??
    registry.enter({
      kind: definition.name,
      objectKey: change.prior && objectKey,
      replaces: replaced?.objectKey,
      identity: change.prior && identityOf(definition, change.prior),
      prior: change.prior,
      planned: change.planned,
    })
  );
}

export interface Plan {
  readonly planned: ObjectValue;
  /** Attributes whose change takes a new object. */
  readonly replace: readonly Path[];
}

/** `prior` is null for a new object. */
export function planChange(
  attributes: readonly Attribute[],
  prior: ObjectValue | null,
  config: ObjectValue,
  derive?: Definition["derive"],
): Plan {
  const wanted = wantedOf(attributes, config, derive);
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
): ObjectValue {
  const written = withDefaults(attributes, config);
  const follows = derive?.(toPlain(blanksAsNull(attributes, written)) as Record<string, unknown>) ?? {};
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

/** The change that a plan makes to an object; undefined if there is none. `replaced`: the object that a new one replaces. */
export function changeOf(
  codec: Codec,
  prior: ObjectValue | null,
  planned: ObjectValue | null,
  replace: readonly unknown[],
  replaced: Identity | undefined,
): Change | undefined {
  if (!planned) return prior ? { action: "destroy", prior: codec.known(prior) } : undefined;
  const { attributes, type } = codec;
  const is = blanksAsNull(attributes, planned);
  const wanted = toPlain(is) as Record<string, unknown>;
  if (!prior) return { action: "create", planned: wanted, replaced };
  const action = replace.length > 0 ? "replace" : equal(blanksAsNull(attributes, prior), is, type) ? "keep" : "update";
  return { action, prior: codec.known(prior), planned: wanted };
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
