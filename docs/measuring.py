"""What the measuring programs beside this file share: the program that is measured, and the machine."""

import functools
import os
import platform
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = TARGET / "release" / "lusoria"


@functools.cache
def machine():
    found = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    version = subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, text=True, check=True)
    return {
        "cpu": found.group(1) if found else platform.processor(),
        "cores": os.cpu_count(),
        "version": version.stdout.strip(),
    }
