/** What stands in the place of a sensitive value, whatever the form of the review. */
export const hidden = "(sensitive)";
