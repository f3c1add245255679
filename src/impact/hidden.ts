/** Replaces a sensitive value in every form of the review. */
export const hidden = "(sensitive)";
