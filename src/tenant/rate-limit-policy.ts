/** A rate limit policy, as the service sends it. */
import { hasFields } from "./http/json";

export interface RateLimitConfiguration {
  action: string;
  /** Requests per second. 0 blocks all. */
  limit?: number;
  redirect_uri?: string;
}

/** Unique in the tenant. */
export interface Callers {
  resource: string;
  consumer: string;
  consumer_selector: string;
}

export interface RateLimitPolicyBody extends Callers {
  configuration: RateLimitConfiguration;
}

export interface RateLimitPolicy extends RateLimitPolicyBody {
  id: string;
  created_at: string;
  updated_at: string;
}

const fields = {
  id: "string",
  resource: "string",
  consumer: "string",
  consumer_selector: "string",
  configuration: "record",
  created_at: "string",
  updated_at: "string",
} as const;

export const isPolicy = (body: unknown): body is RateLimitPolicy =>
  hasFields(body, fields) && hasFields(body.configuration, { action: "string" });
