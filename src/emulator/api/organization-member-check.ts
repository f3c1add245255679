// What the service accepts about the members of an organization.

import type { Schema } from "../http/schema";

/** For adding and removing alike. Other properties are let through unread. */
export const membersSchema: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["members"],
  properties: {
    members: {
      type: "array",
      minItems: 1,
      // A choice: that ten is the most is documented, what more gets is not.
      maxItems: 10,
      items: { type: "string", format: "user-id-with-max-length" },
    },
  },
};

export interface MembersQuery {
  page?: number;
  per_page?: number;
  include_totals?: boolean;
  from?: string;
  take?: number;
  fields?: string;
  include_fields?: boolean;
}

export const membersQuery: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    page: { type: "integer", minimum: 0, maximum: 1000 },
    per_page: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    include_totals: { type: "boolean" },
    from: { type: "string" },
    take: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    fields: { type: "string" },
    include_fields: { type: "boolean" },
  },
};
