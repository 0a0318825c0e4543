// Sounds, made here: short knocks of wood and bone. They can be turned off.

import { preferred } from "../player/preferences.js";

/** @typedef {"dice" | "step" | "hit" | "turn" | "end"} Sound */

/** @type {AudioContext | undefined} */
let context;

/** Browsers allow sound only after the person has done something. */
function ready() {
  if (!preferred("sounds") || !navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

/** Makes a sound, if sounds are wanted. @param {Sound} sound */
export function play(sound) {
  const audio = ready();
  if (!audio) return;
  const now = audio.currentTime;
  switch (sound) {
    case "dice":
      for (const at of [0, 0.06, 0.11, 0.19]) knock(audio, now + at, 900 + 500 * Math.random(), 0.03, 0.12);
      break;
    case "step":
      knock(audio, now, 320, 0.06, 0.25);
      break;
    case "hit":
      knock(audio, now, 220, 0.09, 0.35);
      knock(audio, now + 0.05, 520, 0.05, 0.2);
      break;
    case "turn":
      tone(audio, now, 523, 0.18);
      tone(audio, now + 0.13, 784, 0.25);
      break;
    case "end":
      [392, 523, 659].forEach((pitch, nth) => tone(audio, now + nth * 0.16, pitch, 0.4));
      break;
  }
}

/** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} lasts @param {number} loud */
function knock(audio, at, pitch, lasts, loud) {
  const length = Math.ceil(audio.sampleRate * lasts);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let nth = 0; nth < length; nth += 1) samples[nth] = (Math.random() * 2 - 1) * (1 - nth / length) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const body = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 4 });
  const volume = new GainNode(audio, { gain: loud * 2 });
  source.connect(body).connect(volume).connect(audio.destination);
  source.start(at);
}

/** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} lasts */
function tone(audio, at, pitch, lasts) {
  const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, at + lasts);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + lasts);
}
