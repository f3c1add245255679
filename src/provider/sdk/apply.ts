/** Applies one change for Terraform. `applyResourceChange` reads as a list of stages. */
import { attributePath } from "../../formats/cty/path";
import { equal, type ObjectValue, unknown, type Value } from "../../formats/cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import {
  accountFor,
  knownAccount,
  type Managed,
  notDone,
  openPrivate,
  type Private,
  reportOnce,
  sealPrivate,
  type Surroundings,
} from "./session";
import { show } from "./check";
import type { Codec } from "./codec";
import { type Definition, identityOf, type Known } from "./definition";
import { isError, protocolDiagnostic } from "./diagnostic";
import { toPlain } from "./values";
import { changeOf, join, review, wantedOf, withSuccessor } from "./plan";
import type { PlanRegistry } from "./plan-registry";
import { Incomplete } from "./resource";
import { typeOf } from "./schema";

interface Applied {
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue | null;
  readonly written: ObjectValue | null;
  readonly kept: Private;
  readonly objectKey: string | undefined;
  readonly diagnostics: ProtocolDiagnostic[];
  adopted(): void;
}

export function applyResource<Client>(
  surroundings: Surroundings<Client>,
): Required<Pick<ProviderHandlers, "applyResourceChange">> {
  const { find, session, warnings } = surroundings;
  return {
    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const managed = await find(typeName);
      const { resource, codec, identity } = managed;
      const registry = session()?.registry;
      registry?.touch("apply");

      // 1. What was, what is written, and what was planned, with derived values that the plan did not know.
      const prior = codec.decode(priorState);
      const written = codec.decode(config);
      const kept = openPrivate(plannedPrivate);
      const now = written && wantedOf(codec.attributes, written, resource.definition.derive);
      const planned = completed(codec, codec.decode(plannedState), now);
      const existing = planned ? kept.objectKey : (kept.replaced?.objectKey ?? kept.objectKey);
      const objectKey = existing ?? registry?.createObjectKey();

      // 2. Mistakes of the configuration, and derived values that changed since the plan.
      const diagnostics = codec.check(written).filter(isError);
      if (planned && now && diagnostics.length === 0) diagnostics.push(...departures(codec, planned, now));

      // 3. The object belongs to the tenant of this configuration.
      const title = () => resource.title(codec.known((prior ?? planned)!));
      const { account, errors } = prior
        ? await accountFor(surroundings, { account: kept.account, title }, notDone)
        : { account: undefined, errors: [] };
      diagnostics.push(...errors);

      // 4. Terraform does not plan a destroy again when it applies, so each is reviewed here.
      const isEnd = prior && !planned && !kept.replaced;
      if (diagnostics.length === 0 && (isEnd || (planned && kept.reviewAgain))) {
        const change = withSuccessor(
          resource.definition,
          changeOf(codec, prior, planned, [], kept.replaced?.identity)!,
          kept,
          registry,
        );
        const reviewed = await review(surroundings, resource, { ...kept, objectKey }, change, { isApply: true });
        diagnostics.push(...reviewed.diagnostics.filter(isError));
      }

      // 5. The write, unless something forbids it.
      if (diagnostics.length > 0 && objectKey !== undefined) registry?.failed(objectKey);
      let adopted: number | undefined;
      const noteAdopted = () => void (adopted = registry?.now());
      const applied = { prior, planned, written, kept, objectKey, diagnostics, adopted: noteAdopted };
      const newState = diagnostics.length > 0 ? prior : await write(surroundings, managed, applied);

      // 6. What the next calls need goes into the private state.
      return {
        newState: codec.encode(newState),
        newIdentity: identity.encode(newState && codec.known(newState)),
        private: sealPrivate({ objectKey, account: prior ? account : knownAccount(surroundings), adopted }),
        diagnostics: [...diagnostics, ...warnings()],
      };
    },
  };
}

/** Returns the new state, also if the write fails. */
async function write<Client>(
  surroundings: Surroundings<Client>,
  { resource, codec }: Managed<Client>,
  { prior, planned, written, kept, objectKey, diagnostics, adopted }: Applied,
): Promise<ObjectValue | null> {
  const registry = surroundings.session()?.registry;
  const notes = notesFor(registry, resource.definition, objectKey);
  const around = surroundings.context(diagnostics, {
    adopted,
    madeHere: (identity) => notes.madeByOther(identity) !== undefined,
    others: () => registry?.others(resource.definition.name, objectKey, kept.others).map(([, state]) => state) ?? [],
  });
  const before = prior ? codec.known(prior) : undefined;
  const wanted = planned ? codec.known(planned) : undefined;
  const secret = written ? codec.writeOnly(written) : {};
  try {
    if (planned && wanted) {
      notes.made(wanted);
      const whole = { ...wanted, ...secret };
      const computed = before ? await resource.update(whole, before, around) : await resource.create(whole, around);
      const state = join(codec, planned, computed);
      notes.made(codec.known(state));
      return state;
    }
    if (before) {
      const successor = notes.madeByOther(before) ?? kept.successor ?? (kept.replaced && {});
      await resource.delete(before, around, successor);
      notes.gone(before);
    }
    return null;
  } catch (error) {
    diagnostics.push(...reportOnce(surroundings, error, notDone));
    const state = error instanceof Incomplete ? join(codec, planned ?? prior ?? {}, error.state) : prior;
    if (state) notes.made(codec.known(state));
    else if (wanted) notes.gone(wanted);
    if (objectKey !== undefined && !(error instanceof Incomplete)) registry?.failed(objectKey);
    return state;
  }
}

/** Notes in the registry how one object changes. */
function notesFor(registry: PlanRegistry | undefined, definition: Definition, objectKey: string | undefined) {
  const note = (known: Known, state: Known | undefined) => {
    if (objectKey !== undefined) registry?.made(definition.name, objectKey, identityOf(definition, known), state);
  };
  return {
    made: (known: Known) => note(known, known),
    gone: (known: Known) => note(known, undefined),
    madeByOther(known: Known) {
      const identity = identityOf(definition, known);
      return identity && registry?.madeByOther(definition.name, objectKey, identity);
    },
  };
}

/** Completes the planned values by derived values that the plan did not know. */
function completed({ attributes }: Codec, planned: ObjectValue | null, now: ObjectValue | null): ObjectValue | null {
  if (!planned || !now) return planned;
  const late = attributes.filter(({ name, derived }) => derived && planned[name] === unknown);
  return { ...planned, ...Object.fromEntries(late.map(({ name }) => [name, now[name] ?? null])) };
}

/** Reports derived values that differ from the plan, because write-only values may have changed since. */
function departures({ attributes }: Codec, planned: ObjectValue, now: ObjectValue): ProtocolDiagnostic[] {
  return attributes.flatMap(({ name, shape, derived, sensitive }) => {
    const was: Value = planned[name] ?? null;
    const is: Value = now[name] ?? null;
    if (!derived || equal(was, is, typeOf(shape))) return [];
    const current = is === unknown ? "it is not known now" : `it is ${show(toPlain(is), sensitive)} now`;
    return protocolDiagnostic({
      path: attributePath(name),
      severity: "error",
      code: "TNF-NOT-AS-PLANNED",
      detail:
        `\`${name}\` was planned as ${show(toPlain(was), sensitive)}, but ${current}. Plan again. ` +
        "This object was not changed.",
    });
  });
}
