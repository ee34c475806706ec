"""Writes every text that Orca hands to speech to the file named by ORCA_SPEECH, a line each."""

import os

from orca import settings, speech

# A key that was pressed is in the transcript already.
settings.enableKeyEcho = False

_file = open(os.environ["ORCA_SPEECH"], "w", buffering=1, encoding="utf-8")
_speak = speech._speak


def _record(text, acss, interrupt):
    _file.write(" ".join(text.split()) + "\n")
    return _speak(text, acss, interrupt)


speech._speak = _record
