/** The interface of a provider function, and its calls in Terraform's protocol. */
import * as z from "zod";
import { linkTo } from "../codes/codes";
import { decode, encode } from "../cty/msgpack";
import { encodeType, type Type } from "../cty/type";
import { isList, isObject, unknown } from "../cty/value";
import type { CallFunction_Response, DynamicValue, FunctionMessage } from "../plugin/protocol/tfplugin6";
import { version } from "../version";
import type { PartiallyUnknown } from "./attribute";
import { check, type Checkable } from "./check";
import { shown } from "./diagnostic";
import { fromPlain, toPlain } from "./plain";
import { attributesOf, typeOf, type Shape } from "./schema";

export interface FunctionDefinition<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** In a few words. */
  readonly title: string;
  readonly description: string;
  /** In the order in which they are given. Each must be given; parts of an object may be left out. */
  readonly parameters: P;
  /** An attribute, whose description says what comes back. */
  readonly result: R;
}

/** Works without a configured provider, changes nothing, and gives the same for the same arguments. */
export interface ProviderFunction<F extends FunctionDefinition = FunctionDefinition> {
  readonly definition: F;
  /**
   * Any part of an argument may be `unknown`; the rest of the result should be known already. Throws an ArgumentError for a
   * mistake that the types of the parameters allow.
   */
  call(given: {
    readonly [K in keyof z.output<F["parameters"]>]: PartiallyUnknown<z.output<F["parameters"]>[K]>;
  }): unknown;
}

/** The argument of a parameter is wrong. */
export class ArgumentError extends Error {
  constructor(
    readonly parameter: string,
    message: string,
  ) {
    super(message);
  }
}

/** A function made ready to be called. */
export interface Callable {
  readonly protocol: FunctionMessage;
  call(given: readonly DynamicValue[]): CallFunction_Response;
}

export function callable({ definition, call }: ProviderFunction): Callable {
  const { title, description, parameters, result } = definition;
  const attributes = attributesOf(parameters);
  const [returned] = attributesOf(z.object({ result }));
  const returnType = typeOf(returned!.shape);
  const checkable: Checkable = { config: parameters, attributes };
  return {
    protocol: {
      summary: title,
      description,
      parameters: attributes.map((parameter) => ({
        name: parameter.name,
        description: parameter.description,
        type: encodeType(argumentType(parameter.shape)),
        allowUnknownValues: true,
      })),
      return: { type: encodeType(returnType) },
    },
    call(given) {
      const decoded = attributes.map(({ name, shape }, index) => {
        return [name, toPlain(decode(given[index]!.msgpack!, argumentType(shape)))] as const;
      });
      const plain = Object.fromEntries(decoded);
      const wrong = attributes
        .flatMap(({ name, shape }) => unknownAttributes(plain[name], shape, name))
        .concat(
          check(checkable, plain).flatMap(({ severity, path, detail }) => {
            const [first] = path;
            return severity === "error" && first && "attribute" in first
              ? [new ArgumentError(first.attribute, detail)]
              : [];
          }),
        );
      try {
        if (wrong[0]) throw wrong[0];
        return { result: { msgpack: encode(fromPlain(call(plain), returnType), returnType) } };
      } catch (error) {
        if (!(error instanceof ArgumentError)) throw error;
        const index = attributes.findIndex(({ name }) => name === error.parameter);
        // Terraform ends the sentence.
        const text = `${shown(error.message).replace(/\.$/, "")} (${linkTo("TNF-FUNCTION-ARGUMENT", version)})`;
        return { error: { text, functionArgument: index } };
      }
    },
  };
}

/**
 * Terraform converts arguments to the type of the parameter, and an object type would demand every attribute: where one may
 * be left out, anything is taken and checked here.
 */
function argumentType(shape: Shape): Type {
  return shape.kind === "primitive" ? shape.type : "dynamic";
}

/** Reports attributes that the shape does not know. In arguments of any type, Terraform does not find misspelt names. */
function unknownAttributes(value: unknown, shape: Shape, at: string): ArgumentError[] {
  if (shape.kind === "primitive" || value === undefined || value === unknown) return [];
  const parameter = at.split(/[.[]/)[0]!;
  if (shape.kind !== "object") {
    return isList(value)
      ? value.flatMap((element, index) => unknownAttributes(element, shape.element, `${at}[${index}]`))
      : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = shape.attributes.find((attribute) => attribute.name === name);
    if (known) return unknownAttributes(inner, known.shape, `${at}.${name}`);
    const names = shape.attributes.map((attribute) => attribute.name).join(", ");
    return [new ArgumentError(parameter, `\`${at}.${name}\` is not known: there are ${names}.`)];
  });
}
