#!/usr/bin/env python3
"""Simulates examples of the Modelica Standard Library and compares them with reference results.

usage: ladder.py TOOL LIBRARY [REFERENCES] [--from N] [--to N] [--limit SECONDS]

The examples are a ladder, the easiest first. LIBRARY is the folder that holds `Modelica`; REFERENCES one with
NAME.csv files. Prints a line for each rung: checked and simulated, or why not, the seconds of the simulation, and
whether all reference signals lie in their tubes. A tube has the half-width 0.002 times the range of the signal, in
value, and of the time span, in time; one point outside fails. A run ends where its reference does. Signals that differ
for a known reason are named with it and do not count.
"""
import argparse
import bisect
import collections
import csv
import fnmatch
import math
import os
import subprocess
import sys
import tempfile
import time

RUNGS = [
    "Mechanics.Translational.Examples.SignConvention",
    "Mechanics.Translational.Examples.WhyArrows",
    "Mechanics.Translational.Examples.Accelerate",
    "Thermal.HeatTransfer.Examples.TwoMasses",
    "Mechanics.Translational.Examples.InitialConditions",
    "Mechanics.Translational.Examples.Damper",
    "Electrical.Analog.Examples.CauerLowPassAnalog",
    "Electrical.Analog.Examples.ChuaCircuit",
    "Electrical.Analog.Examples.ShowSaturatingInductor",
    "Mechanics.Rotational.Examples.First",
    "Electrical.Analog.Examples.CauerLowPassOPV",
    "Mechanics.Translational.Examples.Oscillator",
    "Mechanics.Rotational.Examples.ElasticBearing",
    "Mechanics.Rotational.Examples.EddyCurrentBrake",
    "Electrical.Analog.Examples.SeriesResonance",
    "Electrical.Analog.Examples.Resistor",
    "Mechanics.Rotational.Examples.RollingWheel",
    "Mechanics.Translational.Examples.Sensors",
    "Blocks.Examples.InverseModel",
    "Blocks.Examples.Filter",
    "Mechanics.Translational.Examples.ElastoGap",
    "Mechanics.Rotational.Examples.Backlash",
    "Mechanics.Translational.Examples.PreLoad",
    "Electrical.Analog.Examples.CharacteristicIdealDiodes",
    "Electrical.Analog.Examples.Rectifier",
    "Electrical.Analog.Examples.OvervoltageProtection",
    "Electrical.Analog.Examples.HeatingRectifier",
    "Electrical.Analog.Examples.DifferenceAmplifier",
    "Electrical.Analog.Examples.NandGate",
    "Electrical.Analog.Examples.OpAmps.SignalGenerator",
    "Thermal.HeatTransfer.Examples.ControlledTemperature",
    "Electrical.Analog.Examples.ThyristorBehaviourTest",
    "Electrical.Analog.Examples.SwitchWithArc",
    "Electrical.Analog.Examples.IdealTriacCircuit",
    "Electrical.Analog.Examples.CauerLowPassSC",
    "Blocks.Examples.SlewRateLimiter",
    "Blocks.Examples.RealNetwork1",
    "Blocks.Examples.PID_Controller",
    "StateGraph.Examples.FirstExample",
    "Blocks.Examples.BusUsage",
    "Electrical.Digital.Examples.HalfAdder",
    "Electrical.Digital.Examples.FlipFlop",
    "Mechanics.Translational.Examples.Brake",
    "Mechanics.Rotational.Examples.CoupledClutches",
    "Mechanics.Rotational.Examples.Friction",
    "Mechanics.Translational.Examples.Friction",
    "Mechanics.Rotational.Examples.OneWayClutch",
    "Mechanics.Rotational.Examples.LossyGearDemo1",
    "Mechanics.Rotational.Examples.SimpleGearShift",
    "Thermal.HeatTransfer.Examples.Motor",
    "Thermal.FluidHeatFlow.Examples.SimpleCooling",
    "Thermal.FluidHeatFlow.Examples.TwoTanks",
    "Electrical.Polyphase.Examples.TransformerYY",
    "Electrical.Polyphase.Examples.Rectifier",
    "Electrical.Spice3.Examples.Spice3BenchmarkRtlInverter",
    "Electrical.Machines.Examples.DCMachines.DCPM_Start",
    "Electrical.PowerConverters.Examples.ACDC.RectifierBridge2Pulse.DiodeBridge2Pulse",
]

# Signals (with * and ?) that differ from the reference for a reason other than a fault.
KNOWN_DIFFERENCES = [
    ("*.startForward", "true within one event only: the reference holds it for 1e-10 s, between two events that it "
     "locates one after the other"),
    ("*.startBackward", "as startForward"),
]

HALF_WIDTH = 0.002
NOMINAL_FLOOR = 0.001


def read_table(path):
    with open(path, newline="") as handle:
        rows = list(csv.reader(handle))
    rows[0] = ["time" if name == "Time" else name for name in rows[0]]
    columns = {name: [] for name in rows[0]}
    for row in rows[1:]:
        for name, value in zip(rows[0], row):
            columns[name].append(float(value))
    return columns


def value_at(times, values, t, k):
    """The piecewise linear signal at t, which lies in [times[k], times[k + 1]]."""
    width = times[k + 1] - times[k]
    share = 0 if width == 0 else (t - times[k]) / width
    return values[k] + share * (values[k + 1] - values[k])


def window(times, values, low, high):
    """Smallest and largest value of the piecewise linear signal on [low, high]; nothing beyond its end."""
    first, last = bisect.bisect_left(times, low), bisect.bisect_right(times, high)
    inside = values[first:last]
    if 0 < first < len(times):
        inside.append(value_at(times, values, low, first - 1))
    if 0 < last < len(times):
        inside.append(value_at(times, values, high, last - 1))
    return min(inside, default=math.inf), max(inside, default=-math.inf)


def is_in_tube(reference_times, reference, times, values):
    size = max(max(reference) - min(reference), NOMINAL_FLOOR * max(map(abs, reference)), 1e-12)
    slack = (reference_times[-1] - reference_times[0]) * HALF_WIDTH
    for t, value in zip(reference_times, reference):
        low, high = window(times, values, max(t - slack, times[0]), min(t + slack, times[-1]))
        if not low - HALF_WIDTH * size <= value <= high + HALF_WIDTH * size:
            return False
    return True


def is_known(signal):
    return any(fnmatch.fnmatchcase(signal, pattern) for pattern, _ in KNOWN_DIFFERENCES)


def outside(table, reference):
    """Signals of the reference that the result lacks or that leave their tube."""
    times = reference.pop("time")
    faults = []
    for signal, values in reference.items():
        if signal not in table:
            faults.append(signal + " (missing)")
        elif not is_in_tube(times, values, table["time"], table[signal]):
            faults.append(signal)
    return faults


def run(command, limit):
    """The first error of a command, empty if there is none, and the seconds it took."""
    started = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"takes longer than {limit:g} s", limit
    seconds = time.time() - started
    if done.returncode == 0:
        return "", seconds
    lines = [line for line in done.stderr.splitlines() if "error" in line or line.endswith("]")]
    return (lines or [done.stderr.strip() or "no message"])[0][:160], seconds


def take(options, name, folder):
    """What is to be said of an example, and which of checked, simulated, compared, in tube are true of it."""
    common = [name, "--path", options.library]
    fault, _ = run([options.tool, "check", *common], options.limit)
    if fault:
        return "check: " + fault, []
    result = os.path.join(folder, "result.csv")
    reference_path = os.path.join(options.references or "", name + ".csv")
    reference = read_table(reference_path) if os.path.exists(reference_path) else None
    span = ["--stop", repr(reference["time"][-1])] if reference else []
    fault, seconds = run([options.tool, "simulate", *common, *span, "--output", result, "--points", "5001"],
                         options.limit)
    if fault:
        return "simulate: " + fault, ["checked"]
    text = f"simulated in {seconds:.2f} s"
    if reference is None:
        return text, ["checked", "simulated"]
    faults = outside(read_table(result), reference)
    unknown = [signal for signal in faults if not is_known(signal)]
    if unknown:
        return text + ", outside: " + ", ".join(unknown[:4]), ["checked", "simulated", "compared"]
    if faults:
        text += ", known differences: " + ", ".join(faults)
    return text + ", in tube", ["checked", "simulated", "compared", "in tube"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("library")
    parser.add_argument("references", nargs="?")
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--to", type=int, default=len(RUNGS), dest="last")
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    count = collections.Counter()
    for rung in range(options.first, options.last + 1):
        name = "Modelica." + RUNGS[rung - 1]
        with tempfile.TemporaryDirectory() as folder:
            text, reached = take(options, name, folder)
        count.update(reached)
        print(f"{rung:2} {name}: {text}", flush=True)
    print(f"of {options.last - options.first + 1}: " +
          ", ".join(f"{count[what]} {what}" for what in ("checked", "simulated", "compared", "in tube")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
