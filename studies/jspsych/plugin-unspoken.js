/**
 * A jsPsych plugin that shows a study of an Unspoken server in a frame and waits for its end.
 *
 * The study's file names the origin of this page in `link.embedders`; the server allows these
 * origins, and no others, to embed the study, and its page sends the end to them.
 */
var jsPsychUnspoken = (function (jspsych) {
  'use strict';

  const info = {
    name: 'unspoken',
    version: '1.0.0',
    parameters: {
      /** The address of the study, as in https://play.example.org/study/one-level */
      address: { type: jspsych.ParameterType.STRING, default: undefined },
      /** Parameters that are added to the address, such as the participant's id. */
      parameters: { type: jspsych.ParameterType.OBJECT, default: {} },
      /** The height of the frame, as in CSS. */
      height: { type: jspsych.ParameterType.STRING, default: '90vh' },
    },
    data: {
      /** How the study ended: completed, dropped-out and so on. */
      end: { type: jspsych.ParameterType.STRING },
      /** The games that were played, each with its outcome and how far it came. */
      results: { type: jspsych.ParameterType.OBJECT },
      /** The code of the end, if the study's file has one. */
      code: { type: jspsych.ParameterType.STRING },
      /** How long the frame was shown. */
      took_ms: { type: jspsych.ParameterType.INT },
    },
  };

  class UnspokenPlugin {
    constructor(jsPsych) {
      this.jsPsych = jsPsych;
    }

    trial(display, trial) {
      const address = new URL(trial.address);
      for (const [name, value] of Object.entries(trial.parameters)) {
        address.searchParams.set(name, value);
      }
      const started = performance.now();
      const frame = document.createElement('iframe');
      frame.src = address.href;
      frame.title = 'Unspoken';
      frame.style.cssText = `width: 100%; height: ${trial.height}; border: 0`;

      const heard = (event) => {
        // Only the frame itself, at the server's own origin, says how the study ended.
        if (event.origin !== address.origin || event.source !== frame.contentWindow) return;
        if (event.data?.type !== 'unspoken-study') return;
        window.removeEventListener('message', heard);
        const { end, code, results } = event.data;
        const took_ms = Math.round(performance.now() - started);
        display.innerHTML = '';
        this.jsPsych.finishTrial({ end, code, results, took_ms });
      };
      window.addEventListener('message', heard);
      display.replaceChildren(frame);
    }
  }
  UnspokenPlugin.info = info;
  return UnspokenPlugin;
})(jsPsychModule);
