// Takes a seat: creates a match, joins one, or uses an invitation. Each creates the guest if there is none, takes
// effect only once if it is repeated after a lost connection, and stores on this device what the dice can be checked
// against later.

import { Problem, ask } from "../api/rest.js";
import { become, guest, loseSession, rename, token } from "./identity.js";
import { mayHaveBeenDone, once } from "./once.js";
import { canCommit, freshSeed, keep, keptOf, seedHash } from "./seeds.js";

/** @typedef {import("../api/wire").components["schemas"]["CreateMatch"]} CreateMatch */
/** @typedef {import("../api/wire").components["schemas"]["Created"]} Created */
/** @typedef {import("../api/wire").components["schemas"]["Invitation"]} Invitation */
/** @typedef {import("../api/wire").components["schemas"]["Snapshot"]} Snapshot */
/** @typedef {Omit<CreateMatch, "seed_hash">} Wishes */

/** By default a match is a single game. */
export const USUAL_POINTS = 1;

const INVITATION_KEPT_AS = "lusoria.invitation.";

/**
 * Creates a match.
 * @param {Wishes} wishes
 * @param {{bringSeed: boolean}} how
 * @returns {Promise<Created>} its invitation, if any, is stored in this tab
 * @throws {Problem}
 */
export function create(wishes, { bringSeed }) {
  const bringing = bringSeed && canCommit();
  const purpose = `create ${JSON.stringify(wishes)} ${bringing}`;
  return once(purpose, () => (bringing ? freshSeed() : undefined), async ({ key, seed }) => {
    const body = seed === undefined ? wishes : { ...wishes, seed_hash: await seedHash(seed) };
    const send = (/** @type {string} */ token) => ask("POST", "/matches", { body, token, key });
    /** @type {Created} */
    const created = await seated(send);
    const { match, invitation } = created;
    keep(match.id, { seed, commitment: match.dice.commitment });
    if (invitation) keepInvitation(match.id, invitation);
    return created;
  });
}

/**
 * Takes the free seat of an open match.
 * @param {string} match
 * @param {{bringSeed: boolean}} how
 * @throws {Problem}
 */
export async function join(match, { bringSeed }) {
  /** @type {Snapshot} */
  const { dice } = await ask("GET", `/matches/${match}`);
  const path = `/matches/${match}/join`;
  await sitDown(match, dice.commitment, bringSeed, (body, key) =>
    seated((token) => ask("POST", path, { body, token, key })),
  );
}

/**
 * Takes the seat of an invitation.
 * @param {string} code
 * @param {Snapshot} invited the details of the invitation
 * @param {{bringSeed: boolean}} how
 * @throws {Problem}
 */
export async function spend(code, invited, { bringSeed }) {
  await sitDown(invited.id, invited.dice.commitment, bringSeed, (body, key) =>
    seated((token) => ask("POST", "/invitations/spend", { body: { ...body, code }, token, key })),
  );
}

/**
 * The details of an invitation; does not use it.
 * @param {string} code
 * @returns {Promise<Snapshot>}
 * @throws {Problem} `unknown_code` if it is invalid or expired
 */
export const look = (code) => ask("POST", "/invitations/look", { body: { code } });

/** The invitation to a match that was created in this tab. @param {string} match @returns {Invitation | null} */
export function invitationOf(match) {
  try {
    return JSON.parse(sessionStorage.getItem(INVITATION_KEPT_AS + match) ?? "null");
  } catch {
    return null;
  }
}

/** Stores the invitation. @param {string} match @param {Invitation} invitation */
export function keepInvitation(match, invitation) {
  try {
    sessionStorage.setItem(INVITATION_KEPT_AS + match, JSON.stringify(invitation));
  } catch {
    // The match's page creates another one.
  }
}

/**
 * Creates a new invitation to a match, which replaces the previous one, and stores it.
 * @param {string} match
 * @returns {Promise<Invitation>}
 * @throws {Problem}
 */
export async function inviteAnew(match) {
  /** @type {Invitation} */
  const made = await ask("POST", `/matches/${match}/invitation`, { token: token(), body: {} });
  keepInvitation(match, made);
  return made;
}

/**
 * @param {string} match
 * @param {string} commitment
 * @param {boolean} bringSeed
 * @param {(body: {seed?: string}, key: string) => Promise<unknown>} send
 */
function sitDown(match, commitment, bringSeed, send) {
  const purpose = `sit ${match} ${bringSeed}`;
  return once(purpose, () => (bringSeed ? freshSeed() : undefined), async ({ key, seed }) => {
    const before = keptOf(match);
    keep(match, { seed, commitment });
    try {
      await send(seed === undefined ? {} : { seed }, key);
    } catch (why) {
      if (!mayHaveBeenDone(why)) keep(match, before);
      throw why;
    }
  });
}

/**
 * Sends a request as the guest of this device; as a new guest of the same name if the server no longer knows the token.
 * @template T
 * @param {(token: string) => Promise<T>} send
 * @returns {Promise<T>}
 */
export async function seated(send) {
  const { token, name } = await become();
  try {
    return await send(token);
  } catch (why) {
    if (!(why instanceof Problem) || why.code !== "unknown_token") throw why;
    if (guest()?.token === token) {
      loseSession(token);
      await rename(name);
    }
    return send((await become()).token);
  }
}
