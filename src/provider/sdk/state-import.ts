/** Accepts states from older versions, from other providers and from imports. */
import { equal, isList, isObject, type ObjectValue, type Value } from "../../formats/cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { type Identity, identityOf } from "./definition";
import { nameOf } from "./codec";
import { DiagnosticError } from "./diagnostic";
import { fromPlain } from "./values";
import type { Surroundings } from "./session";
import type { Stored } from "./resource";
import { type Attribute, type Shape, typeOf } from "./schema";

type Calls = Pick<
  ProviderHandlers,
  | "upgradeResourceState"
  | "upgradeResourceIdentity"
  | "importResourceState"
  | "generateResourceConfig"
  | "moveResourceState"
>;

/** `providerVersion` is that of this provider. */
export function stateImport<Client>(
  providerVersion: string,
  { find, session, context }: Pick<Surroundings<Client>, "find" | "session" | "context">,
): Calls {
  return {
    async upgradeResourceState({ typeName, version, rawState }) {
      const { resource, codec } = await find(typeName);
      if (version > codec.version) {
        throw new DiagnosticError(
          "TNF-NEWER-STATE",
          `This state of ${typeName} has schema version ${version}, but provider ${providerVersion} reads at most ` +
            `${codec.version}. Use the version of the provider that wrote the state, or a newer one.`,
        );
      }
      const steps = resource.upgrades?.slice(version) ?? [];
      const stored = steps.reduce((state, step) => step(state), parse(rawState?.json));
      return { upgradedState: codec.encode(codec.fromPlain(stored)) };
    },

    async upgradeResourceIdentity({ typeName, rawIdentity }) {
      const { identity } = await find(typeName);
      return { upgradedIdentity: identity.encode(parse(rawIdentity?.json)) };
    },

    async importResourceState({ typeName, id, identity: sent }) {
      const { resource, codec, identity } = await find(typeName);
      const diagnostics: ProtocolDiagnostic[] = [];
      const wanted = identity.decode(sent);
      const identified: Identity = await resource.import(wanted ? nameOf(wanted) : id, context(diagnostics));
      if (wanted && nameOf(wanted) !== nameOf(identityOf(resource.definition, identified)!)) {
        const [name] = Object.keys(wanted);
        throw new DiagnosticError(
          "TNF-NOT-AN-IDENTITY",
          `\`identity.${name}\` is ${JSON.stringify(wanted[name!])}, which is not an id. Give it as \`id\` of the import block, without \`identity\`.`,
        );
      }
      if (session()?.client && !(await resource.read(identified, context([])))) {
        throw new DiagnosticError(
          "TNF-NOTHING-TO-IMPORT",
          `The tenant does not have ${resource.title(identified)}. Check the id, and check that domain or endpoint names the right tenant.`,
        );
      }
      const imported = {
        typeName,
        state: codec.encode(codec.fromPlain(identified)),
        identity: identity.encode(identified),
      };
      return { importedResources: [imported], diagnostics };
    },

    async generateResourceConfig({ typeName, state }) {
      const { codec } = await find(typeName);
      const known = codec.decode(state);
      return { config: codec.encode(known && configOf(codec.attributes, known)) };
    },

    async moveResourceState({ sourceTypeName, sourceProviderAddress, sourceState, targetTypeName }) {
      const { resource, codec, identity } = await find(targetTypeName);
      const move = resource.moves?.[sourceTypeName];
      if (!move) {
        const known = Object.keys(resource.moves ?? {}).join(", ");
        throw new DiagnosticError(
          ["TNF-CANNOT-MOVE", sourceTypeName, targetTypeName],
          `${targetTypeName} adopts states of ${known || "no other type"}, not of ${sourceTypeName} ` +
            `(${sourceProviderAddress}). Import the object instead, and forget the old one with a removed block.`,
        );
      }
      const moved = move(parse(sourceState?.json));
      return { targetState: codec.encode(codec.fromPlain(moved)), targetIdentity: identity.encode(moved) };
    },
  };
}

function parse(json: Uint8Array | undefined): Stored {
  return JSON.parse(Buffer.from(json ?? "").toString() || "null") as Stored;
}

/** Turns a state into a configuration: without values that the service sets, and without defaults. */
export function configOf(attributes: readonly Attribute[], state: ObjectValue): ObjectValue {
  return Object.fromEntries(
    attributes.map(({ name, shape, computed, default: usual }) => {
      const value = state[name] ?? null;
      const type = typeOf(shape);
      const needless = computed || (usual !== undefined && equal(value, fromPlain(usual, type), type));
      return [name, needless ? null : within(shape, value)];
    }),
  );
}

function within(shape: Shape, value: Value): Value {
  if (shape.kind === "object") return isObject(value) ? configOf(shape.attributes, value) : value;
  if (shape.kind === "primitive" || !isList(value)) return value;
  return value.map((element) => within(shape.element, element));
}
