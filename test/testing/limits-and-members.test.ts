/** Statements about rate limits and members. */
import "../../src/testing/jest";
import { Testing, TerraformResource, TerraformStack, TerraformVariable } from "cdktf";
import { OrganizationMemberSet, RateLimitPolicy } from "../../src/constructs";
import { outdir } from "../support/outdir";

let stack: TerraformStack;
beforeEach(() => {
  stack = new TerraformStack(Testing.app({ outdir: outdir() }), "edge");
});

function failure(test: () => unknown): string {
  try {
    test();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("The test passes.");
}

describe("toLimit", () => {
  const limited = (limit: number) =>
    new RateLimitPolicy(stack, "third-parties", {
      consumerSelector: "third_party_clients",
      configuration: { action: "block", limit },
    });

  test("compares the limit with the bounds, and names the policy", () => {
    limited(60);
    expect(stack).toLimit({ consumer: "third_party_clients", atMost: 60, atLeast: 60 });
    expect(stack).not.toLimit({ consumer: "third_party_clients", atMost: 50 });
    const message = failure(() => expect(stack).toLimit({ consumer: "third_party_clients", atMost: 50 }));
    expect(message).toMatch(/allows 60 requests per second together\..*at most 50/);
    expect(message).toContain("Object: edge/third-parties");
  });

  test("refuses a limit without bounds, and names that nobody can mean", () => {
    expect(failure(() => expect(stack).toLimit({ consumer: "default" }))).toContain("Give atMost or atLeast");
    const misspelled = { consumer: "default", atmost: 3 } as never;
    expect(failure(() => expect(stack).toLimit(misspelled))).toContain('"atMost" is probably meant');
  });

  test("is not decided if the limit is known only at plan time", () => {
    limited(new TerraformVariable(stack, "limit", { type: "number" }).numberValue);
    expect(failure(() => expect(stack).toLimit({ consumer: "third_party_clients", atMost: 5 }))).toContain(
      "not decided",
    );
  });
});

describe("toHaveMembers", () => {
  const staff = "org_9ybsU1dN2dKfDkBi";

  test("compares the members of the organization", () => {
    new OrganizationMemberSet(stack, "staff", { organizationId: staff, members: ["auth0|ada", "auth0|grace"] });
    expect(stack).toHaveMembers(staff, { include: "auth0|ada", exclude: ["auth0|eve"], atLeast: 2, atMost: 2 });
    expect(stack).not.toHaveMembers(staff, { include: ["auth0|ada", "auth0|eve"] });
    const message = failure(() => expect(stack).toHaveMembers(staff, { include: "auth0|eve", atLeast: 3 }));
    expect(message).toContain("auth0|eve");
    expect(message).toContain("at least 3");
    expect(message).toContain("Object: edge/staff");
  });

  test("is not decided if the stack does not declare the members, or only some of them", () => {
    new OrganizationMemberSet(stack, "some", { organizationId: staff, members: ["auth0|ada"], exclusive: false });
    expect(stack).toHaveMembers(staff, { include: "auth0|ada" });
    expect(failure(() => expect(stack).toHaveMembers(staff, { atLeast: 2 }))).toContain("not decided");
    const other = failure(() => expect(stack).not.toHaveMembers("org_other", { atLeast: 2 }));
    expect(other).toContain("The stack declares no members of the organization org_other.");
  });

  test("recognizes an organization of the stack by the token of its id", () => {
    const organization = (id: string) =>
      new TerraformResource(stack, id, { terraformResourceType: "auth0_organization" });
    const [acme, beta] = ["acme", "beta"].map((id) => organization(id).getStringAttribute("id")) as [string, string];
    new OrganizationMemberSet(stack, "of-acme", { organizationId: acme, members: ["auth0|ada"] });
    new OrganizationMemberSet(stack, "of-beta", { organizationId: beta, members: ["auth0|eve"] });
    expect(stack).toHaveMembers(acme, { include: "auth0|ada", atMost: 1 });
    expect(stack).not.toHaveMembers(beta, { include: "auth0|ada" });
  });
});
