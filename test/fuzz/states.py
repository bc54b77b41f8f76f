"""Saved states of test/fuzz/states.mo, as seeds for state_fuzz. Their format and the fingerprint of the model belong to the code
at hand, so they are made anew.

    python3 test/fuzz/states.py TOOL FOLDER
"""
import subprocess
import sys
from pathlib import Path

MODEL = Path(__file__).with_name("states.mo")


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for solver in "taylor", "ida":
        for at in 0.05, 0.35, 0.8:
            file = folder / f"{solver}-{at}.json"
            subprocess.run([tool, "simulate", MODEL, "--solver", solver, "--save-state", file, "--at", str(at), "--quiet"],
                           check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
