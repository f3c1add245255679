/** The forms that a project can have. */
export const languages = ["cdktf", "cdktn", "hcl"] as const;
export type Language = (typeof languages)[number];

export const codeHosts = ["github", "gitlab"] as const;
export type CodeHost = (typeof codeHosts)[number];

/** The runner of unit tests in TypeScript. */
export type Runner = "jest" | "vitest";
