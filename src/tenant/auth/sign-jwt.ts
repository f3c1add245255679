/** The part of jose that signs. In a file of its own, because a bundle would contain all of jose otherwise. */
export { SignJWT } from "jose";
