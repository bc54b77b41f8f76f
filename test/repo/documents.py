#!/usr/bin/env python3
"""Documents do not point into the void: every relative link leads to a file, every source file that a page of docs/design names in
backquotes exists, and the map (docs/design/overview.md) speaks of every module."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tracked(pattern):
    # Also files that are new and not yet added.
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", pattern],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [ROOT / name for name in names if (ROOT / name).exists()]


def broken_links(page):
    text = re.sub(r"`[^`]*`", "", page.read_text())
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: links to {target}, which is not there"


def missing_sources(page, sources):
    for name in re.findall(r"`(?:[\w/]*/)?(\w+\.(?:h|cc|py))`", page.read_text()):
        if name not in sources:
            yield f"{page.relative_to(ROOT)}: names {name}, which is not there"


def unmapped_modules():
    text = (ROOT / "docs/design/overview.md").read_text()
    for module in sorted(path.name for path in (ROOT / "src").iterdir() if path.is_dir()):
        if f"`{module}`" not in text:
            yield f"docs/design/overview.md: does not speak of the module {module}"


def main():
    sources = {path.name for pattern in ("*.h", "*.cc", "*.py") for path in tracked(pattern)}
    faults = list(unmapped_modules())
    for page in tracked("*.md"):
        faults += broken_links(page)
        if page.parent == ROOT / "docs/design":
            faults += missing_sources(page, sources)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
