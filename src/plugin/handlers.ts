/** The interface between a provider and its process: one function for each call of Terraform's protocol. */
import type { ProviderDefinition } from "./protocol/tfplugin6";

type Methods = typeof ProviderDefinition.methods;
type Message<Codec> = Codec extends { decode(...input: never[]): infer T } ? T : never;
type Scalar = string | number | boolean | Uint8Array;

/**
 * A request as it arrives: a scalar, bytes or a list that was not sent is there and empty; a message that was not sent
 * is undefined.
 */
export type Received<T> = T extends Scalar
  ? T
  : T extends (infer Element)[]
    ? Received<Element>[]
    : {
        [Field in keyof T]-?: NonNullable<T[Field]> extends Scalar | unknown[]
          ? Received<NonNullable<T[Field]>>
          : Received<NonNullable<T[Field]>> | undefined;
      };

type Answer<Method extends Methods[keyof Methods]> = Message<Method["responseType"]> | Uint8Array;

/**
 * One function for each call. A call without one is answered UNIMPLEMENTED, which Terraform accepts for calls newer
 * than the provider. Bytes instead of a response are sent as they stand: a response encoded beforehand. What is thrown
 * reaches the user as a failed call without a place in the configuration: answer with diagnostics instead. Of answers
 * that come as a stream the next is asked for when the last has gone out, and none once Terraform has had enough.
 */
export type ProviderHandlers = {
  [Name in keyof Methods]?: (
    request: Received<Message<Methods[Name]["requestType"]>>,
  ) => Methods[Name]["responseStream"] extends true
    ? AsyncIterable<Answer<Methods[Name]>>
    : Promise<Answer<Methods[Name]>>;
};
