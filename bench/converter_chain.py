#!/usr/bin/env python3
"""Preparation of large models with switches: a chain of converters, each with a switch that follows the time
and an ideal diode that its current opens, six equations and two Booleans a stage.

usage: converter_chain.py TOOL [STAGES ...]      (150 1500 15000 without numbers: about 10^3 to 10^5 equations)

Prints, for each length, the processor time of `hydae simulate` over a time without events: reading, flattening,
analysis, compilation and the consistent start. The last column is the exponent between two lines; 1 is linear."""
import math
import pathlib
import resource
import subprocess
import sys
import tempfile


def model(stages):
    return f"""model Chain "{stages} converters in a row"
  parameter Integer n = {stages};
  parameter Real R = 0.1, C = 1e-3, L = 1e-3, period = 1e-3;
  Real v[n](each start = 0, each fixed = true), i[n](each start = 0, each fixed = true);
  Real u[n], d[n], s[n](each start = -1), load[n];
  Boolean off[n](each start = true), on[n];
equation
  for k in 1:n loop
    on[k] = sin(6.283185307179586*(time/period + (k + 0.3)/n)) > 0;
    off[k] = s[k] < 0;
    d[k] = if off[k] then s[k] else 0;
    u[k] = if on[k] then (if k == 1 then 10 else v[k - 1]) else 0;
    L*der(i[k]) = u[k] - v[k] - R*i[k];
    s[k] = i[k] - 0.001;
    load[k] = v[k]/(10 + k);
    C*der(v[k]) = i[k] - load[k] + 1e-9*d[k];
  end for;
end Chain;
"""


def seconds(tool, folder, stages):
    (folder / "Chain.mo").write_text(model(stages))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([tool, "simulate", "Chain.mo", "--stop", "1e-9", "--points", "2", "--quiet"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    lengths = [int(word) for word in sys.argv[2:]] or [150, 1500, 15000]
    last = None
    print("stages  equations  seconds  exponent")
    with tempfile.TemporaryDirectory() as name:
        for stages in lengths:
            spent = seconds(tool, pathlib.Path(name), stages)
            exponent = math.log(spent / last[1]) / math.log(stages / last[0]) if last else math.nan
            print(f"{stages:6d}  {8 * stages:9d}  {spent:7.2f}  {exponent:8.2f}", flush=True)
            last = (stages, spent)


main()
