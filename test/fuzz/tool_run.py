"""One run of the tool by a generator: silent, and not forever."""
import subprocess

TIME_LIMIT = 20  # seconds


def run_silently(command):
    """What went wrong, as a text; empty if nothing did."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"no end within {TIME_LIMIT} s"
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit status {done.returncode}"
