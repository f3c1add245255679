/** Everything that other rooms use of the evaluation of network ACLs. */
export {
  type Block,
  canonicalBlock,
  contains,
  countAddresses,
  covers,
  formatBlock,
  isAddress,
  isBlockOf,
  parseBlock,
  unmapped,
} from "./cidr";
export { changesOf, outcomeKey, type Changed, type FactValuesOf, type RequestCase } from "./changes";
export { likelyCode, countries, internetUsersOf, likelyCountry, likelyRegion, countryNames } from "./fact-forms";
export { curatedLists } from "./fact-forms";
export {
  type Acl,
  decide,
  effectOf,
  flagOf,
  inOrder,
  type Outcome,
  outcomesOf,
  precedes,
  type Verdict,
  whyEnds,
} from "./decide";
export {
  criterionRows,
  type CriterionName,
  factLists,
  factNames,
  hasForm,
  isFact,
  listNames,
  type ListName,
  type ListOfFacts,
  places,
  plainFacts,
  problemIn,
  problemOf,
  problemOfEntry,
  protectable,
  refusal,
  rowOf,
  signalsOf,
} from "./fact";
export { canonicalPath, quoted } from "./fact-forms";
export { type FactName, type FactTable, factTable } from "./facts";
export { type BlockedShares, blockedSharesOf, mayBeAllowed, type Share } from "./partial-request";
export { unreachable, type Unreachable } from "./unreachable";
export { notKnown } from "../../formats/cty/value";
export type { Area, Entries } from "./sets/extent";
export { anotherKey, entriesWithin } from "./sets/reach";
export { doubtsAbout, type Ends } from "./sets/ends";
export {
  type AclDoubt,
  type Counterexample,
  isAboutNobody,
  type Proof,
  prove,
  type Statement,
  type Worse,
  worsened,
} from "./proof";
export {
  type AccessRequest,
  type Api,
  apiOf,
  apis,
  type Facts,
  type FactValues,
  requestOf,
  unnamedFacts,
  scopeCovers,
  type WholeRequest,
} from "./request";
export {
  criteriaOf,
  matches,
  neverMatches,
  partsOf,
  sides,
  unknownProperties,
  type Contradiction,
  type Criteria,
  type MatchReason,
  type Named,
  type Possibly,
  type Rule,
} from "./rule";
export { entriesOf, signals } from "./signal";
