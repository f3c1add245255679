/** The interface between a provider and its process: one function for each call of Terraform's protocol. */
import type { ProviderDefinition } from "./protocol/tfplugin6";

type Methods = typeof ProviderDefinition.methods;
type Message<Codec> = Codec extends { decode(...input: never[]): infer T } ? T : never;
type Scalar = string | number | boolean | Uint8Array;

/**
 * A request as it arrives. A scalar, bytes or a list that was not sent is empty. A message that was not sent is undefined.
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

type Response<Method extends Methods[keyof Methods]> = Message<Method["responseType"]> | Uint8Array;

/**
 * One function for each call. A call without a function gets UNIMPLEMENTED, which Terraform accepts for newer calls.
 * A function may return an encoded response. It should return diagnostics, because a thrown error reaches the user
 * without its place in the configuration. A stream is read one message at a time, and only while Terraform listens.
 */
export type ProviderHandlers = {
  [Name in keyof Methods]?: (
    request: Received<Message<Methods[Name]["requestType"]>>,
  ) => Methods[Name]["responseStream"] extends true
    ? AsyncIterable<Response<Methods[Name]>>
    : Promise<Response<Methods[Name]>>;
};
