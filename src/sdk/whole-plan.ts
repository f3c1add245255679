/** Words about the whole plan, for reports that Terraform shows at the object of one call. */

/** Begins a report that is not about the object at which Terraform shows it. */
export const wholePlan = "This is about the whole plan.";

/** Ends a refusal that a change could prevent which Terraform had not planned yet. */
export const unseen =
  "If another change of this plan prevents this, Terraform plans that change later: name its resource in `depends_on` of this one, or " +
  "plan with `-parallelism=2` or more.";
