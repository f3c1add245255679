/** The parts that schemas of requests and responses are made of. */
import type { Schema } from "./schema";

export const text: Schema = { type: "string" };
export const number: Schema = { type: "number" };
export const boolean: Schema = { type: "boolean" };

/** An object with these properties and no others; all are required but those named in `optional`. */
export const exactly = (properties: Record<string, Schema>, optional: readonly string[] = []): Schema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** An object with any of these properties and no others. */
export const optional = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  additionalProperties: false,
  properties,
});

export const listOf = (items: Schema): Schema => ({ type: "array", items });
export const oneOf = (...values: readonly unknown[]): Schema => ({ type: "string", enum: values });

export const millisTime: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
  description: "UTC, exactly three decimals.",
};
export const microsTime: Schema = {
  type: "string",
  format: "date-time",
  description: "UTC, up to six decimals, trailing zeros trimmed.",
};

export const errorShape = exactly({ statusCode: { type: "integer" }, error: text, message: text, errorCode: text }, [
  "errorCode",
]);
export const oauthErrorShape = exactly({ error: text, error_description: text });
