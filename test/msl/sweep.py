#!/usr/bin/env python3
"""Takes all examples of the Modelica Standard Library as far as they go, and writes the table of it.

usage: sweep.py TOOL LIBRARY RESULTS [--table FILE] [--jobs N] [--filter REGEX] [--until STAGE]
                [--redo none|failed|all] [--limit SECONDS] [--check-limit SECONDS] [--note TEXT]

An example is a class with an experiment annotation that is not partial. Each is parsed, flattened, checked and simulated, every stage in a process of its own with a limit of time
(--check-limit up to the check, --limit for the simulation) and memory (2 GB). What is known so far is kept in RESULTS, one JSON object
per line: a run that was stopped goes on where it was; --redo tells what to do again. --table writes the summary.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

STAGES = ["parse", "flatten", "check", "simulate"]
MEMORY = 2 << 30
STACK = 512 << 20  # address space that the tool sets aside for its stack

# ---- which examples there are ----

SKIPPED = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
QUOTED = re.compile(r"'(?:\\.|[^'\\])*'")
CLASS = re.compile(
    r"\b(?P<partial>partial\s+)?(?:(?:pure|impure|expandable|operator|encapsulated)\s+)*"
    r"(?:package|model|block|class|record|connector|function|type|operator)\s+"
    r"(?P<name>extends\s+\w+|(?!extends\b)[A-Za-z_]\w*\b(?!\s*[.(])|'q')(?P<short>\s*=)?"
    r"|\bend\s+(?P<end>[A-Za-z_]\w*|'q')\s*;"
    r"|\bexperiment\s*\(")
CONTROL = {"if", "for", "while", "when"}


def examples_in(text):
    """Names of the examples that a file declares, within its package."""
    within = re.search(r"\bwithin\s+([\w.]*)\s*;", text)
    text = QUOTED.sub("'q'", SKIPPED.sub(" ", text))
    stack, found = [], []
    for match in CLASS.finditer(text):
        if match["name"]:
            if not match["short"]:
                stack.append({"name": match["name"], "partial": bool(match["partial"]),
                              "experiment": False})
        elif match["end"]:
            if match["end"] in CONTROL or not stack:
                continue
            done = stack.pop()
            if done["experiment"] and not done["partial"]:
                prefix = [within[1]] if within and within[1] else []
                found.append(".".join(prefix + [outer["name"] for outer in stack] + [done["name"]]))
        elif stack:
            stack[-1]["experiment"] = True
    return found


def find_examples(library):
    names = []
    for folder, _, files in os.walk(os.path.join(library, "Modelica")):
        for file in files:
            if file.endswith(".mo"):
                with open(os.path.join(folder, file), encoding="utf-8-sig") as handle:
                    names += examples_in(handle.read())
    return sorted(names)


# ---- one example ----


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + STACK, MEMORY + STACK))


def run(command, seconds):
    """What a stage says: nothing if it worked, else its first error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, errors="replace",
                              stdin=subprocess.DEVNULL, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return "takes longer than the limit [time-limit]"
    if done.returncode == 0:
        return ""
    if done.returncode < 0:
        return f"stopped by signal {-done.returncode} [crash]"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if "error: " in line] or [line for line in lines if re.search(r"\[[\w-]+\]$", line)]
    if "bad_alloc" in done.stderr:
        return "needs more memory than the limit [memory-limit]"
    return (errors or lines or ["no message"])[0]


def take(tool, library, name, until, seconds, check_seconds):
    """The last stage that worked, and what stopped the next one."""
    started = time.time()
    common = [name, "--path", library]
    result = {"name": name, "reached": "", "reason": "", "until": until}
    reason = run([tool, "check", *common], check_seconds)
    if reason == "":
        result["reached"] = "check"
        if until == "simulate":
            with tempfile.TemporaryDirectory() as folder:
                reason = run([tool, "simulate", *common, "--output", os.path.join(folder, "result.mat")], seconds)
            if reason == "":
                result["reached"] = "simulate"
    elif "[syntax" not in reason:
        result["reached"] = "parse"
        with tempfile.TemporaryDirectory() as folder:
            flat = run([tool, "flatten", *common, "--output", os.path.join(folder, "flat.mo")], check_seconds)
        if flat == "":
            result["reached"] = "flatten"
        else:
            reason = flat
    result["reason"] = reason
    result["seconds"] = round(time.time() - started, 2)
    return result


# ---- the table ----


def package_of(name):
    parts = name.split(".")
    return ".".join(parts[1:parts.index("Examples")] if "Examples" in parts else parts[1:3])


def code_of(reason):
    code = re.search(r"\[([\w-]+)\]\s*$", reason)
    return code[1] if code else "other"


def subject_of(reason):
    """The message without its place; of what is not there yet, the name of it."""
    text = re.sub(r"^.*?(?:error|warning): ", "", reason)
    text = re.sub(r"\s*\[[\w-]+\]\s*$", "", text)
    text = re.sub(r"\s*\([^()]*\.mo:[^()]*\)", "", text)
    if code_of(reason) != "unsupported":
        text = re.sub(r"`[^`]*`", "`...`", text)
        text = re.sub(r"\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
    return text


def write_table(results, num_examples, path, options):
    # A stage that was not tried for all examples has no column.
    is_simulated = all(result["until"] == "simulate" for result in results)
    stages = STAGES if is_simulated else STAGES[:-1]
    counts = collections.defaultdict(lambda: [0] * (len(stages) + 1))
    for result in results:
        row = counts[package_of(result["name"])]
        row[0] += 1
        reached = STAGES.index(result["reached"]) + 1 if result["reached"] else 0
        for stage in range(min(reached, len(stages))):
            row[stage + 1] += 1
    total = [sum(row[i] for row in counts.values()) for i in range(len(stages) + 1)]
    lines = ["# Examples of the Modelica Standard Library", "",
             "How far the examples come: parsed, flattened, checked (balance and structure), simulated to their stop",
             "time. `simulate` says that a run ends without an error, not that its results were compared. Each stage",
             f"had 2 GB; {options.check_limit:g} s were given for the check, {options.limit:g} s for the simulation. Made by",
             f"`./dev msl --limit {options.limit:g} --check-limit {options.check_limit:g}"
             f"{'' if is_simulated else ' --until check'}`{options.note and ', ' + options.note}.", "",
             "| package | examples | " + " | ".join(stages) + " |", "|---|" + "--:|" * (len(stages) + 1)]
    if len(results) < num_examples:
        lines.insert(-2, f"Only {len(results)} of the {num_examples} examples have been run so far.\n")
    for package in sorted(counts):
        lines.append("| " + " | ".join([package] + [str(n) for n in counts[package]]) + " |")
    lines.append("| **all** | " + " | ".join(f"**{n}**" for n in total) + " |")
    lines += ["", "## What stops them", "",
              "Stage that fails, the message without names and numbers, how many examples.", "",
              "| stage | code | message | examples |", "|---|---|---|--:|"]
    reasons = collections.Counter()
    for result in results:
        if result["reason"]:
            following = STAGES[STAGES.index(result["reached"]) + 1] if result["reached"] else STAGES[0]
            reasons[(following, code_of(result["reason"]), subject_of(result["reason"])[:110])] += 1
    for (stage, code, subject), count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        if count > 1:
            lines.append(f"| {stage} | {code} | {subject.replace('|', '/')} | {count} |")
    lines.append(f"| | | reasons of one example each | {sum(1 for c in reasons.values() if c == 1)} |")
    with open(path, "w", encoding="utf-8") as handle:
        handle.write("\n".join(lines) + "\n")


def read_results(path):
    results = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as handle:
            for line in handle:
                result = json.loads(line)
                results[result["name"]] = result
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("library")
    parser.add_argument("results")
    parser.add_argument("--table")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--filter", default="")
    parser.add_argument("--until", choices=STAGES[2:], default="simulate")
    parser.add_argument("--redo", choices=["none", "failed", "all"], default="none")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--check-limit", type=float, default=40)
    parser.add_argument("--note", default="", help="how it was run, for the table")
    options = parser.parse_args()
    names = find_examples(options.library)
    results = {name: result for name, result in read_results(options.results).items() if name in names}

    def is_open(name):
        if not re.search(options.filter, name):
            return False
        if name not in results or options.redo == "all":
            return True
        return options.redo == "failed" and results[name]["reason"] != ""

    todo = [name for name in names if is_open(name)]
    os.makedirs(os.path.dirname(os.path.abspath(options.results)), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            open(options.results, "a", encoding="utf-8") as handle:
        jobs = [pool.submit(take, options.tool, options.library, name, options.until, options.limit,
                            options.check_limit)
                for name in todo]
        for job in concurrent.futures.as_completed(jobs):
            result = job.result()
            results[result["name"]] = result
            handle.write(json.dumps(result) + "\n")
            handle.flush()
            print(f"{result['name']}: {result['reached'] or 'nothing'} {result['reason'][:150]}", flush=True)
    if options.table:
        write_table([results[name] for name in names if name in results], len(names), options.table, options)
    for stage in range(len(STAGES)):
        reached = sum(1 for result in results.values() if result["reached"] in STAGES[stage:])
        print(f"{STAGES[stage]}: {reached} of {len(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
